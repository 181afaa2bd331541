select platform.create_outbox('maintenance');
