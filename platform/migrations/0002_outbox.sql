-- Makes the outbox of a schema. A domain's first migration calls it, so that all outboxes are alike.
create function platform.create_outbox(in_schema text) returns void
language plpgsql
as $$
begin
  execute format(
    'create table %I.outbox (
       id uuid primary key,
       org_id uuid not null,
       type text not null,
       subject jsonb not null,
       data jsonb not null,
       occurred_at timestamptz not null,
       -- Set when the ingest refused this very event: it stays for a person to look at, the rest goes on.
       refused_reason text
     )', in_schema);
  -- Every row is deleted soon after it was written; waiting for a fifth of the table to be dead, as by
  -- default, would make the shipper walk over the dead ones.
  execute format(
    'alter table %I.outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
       autovacuum_vacuum_cost_delay = 0)', in_schema);
end
$$;

revoke execute on function platform.create_outbox(text) from public;
