select platform.create_outbox('identity');
