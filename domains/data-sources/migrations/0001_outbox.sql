select platform.create_outbox('data_sources');
