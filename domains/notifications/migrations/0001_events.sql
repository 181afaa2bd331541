-- What happened, once each. The key leads with the organization; the day is in the UUIDv7 of the event.
create table notifications.events (
  org_id uuid not null,
  id uuid not null,
  type text not null,
  subject jsonb not null,
  data jsonb not null,
  occurred_at timestamptz not null,
  ingested_at timestamptz not null default now(),
  primary key (org_id, id)
) partition by range (id);

insert into platform.daily_partitioned (schema_name, table_name, keep_days) values ('notifications', 'events', 90);

select platform.maintain_daily_partitions(7);
