-- Who changed what about databases and sources, and from where.
create table data_sources.audit (
  org_id uuid not null,
  id uuid not null,
  action text not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  target_kind text not null,
  target_id text not null,
  target_name text not null,
  details jsonb not null,
  address text,
  user_agent text,
  primary key (org_id, id)
) partition by range (id);

insert into platform.daily_partitioned (schema_name, table_name, keep_days) values ('data_sources', 'audit', 400);

select platform.maintain_daily_partitions(7);
