select platform.create_outbox('apps');
