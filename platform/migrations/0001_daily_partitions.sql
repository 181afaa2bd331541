-- Tables that grow every day are range-partitioned on a UUIDv7 key. Retention drops a day at once instead
-- of deleting its rows, and an index never holds more than a day.
--
-- Services own no table, so they cannot create partitions. These functions run as the owner and touch
-- only the tables registered here by a migration.
create table platform.daily_partitioned (
  schema_name text not null,
  table_name text not null,
  keep_days integer not null check (keep_days between 1 and 3650),
  primary key (schema_name, table_name)
);

create function platform.uuid_at(moment timestamptz) returns uuid
language sql immutable strict
as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create function platform.ensure_daily_partition(in_schema text, in_table text, day date) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  partition text := in_table || '_' || to_char(day, 'YYYYMMDD');
begin
  perform from platform.daily_partitioned where schema_name = in_schema and table_name = in_table;
  if not found then
    raise exception '%.% is not partitioned by day', in_schema, in_table;
  end if;
  if to_regclass(format('%I.%I', in_schema, partition)) is not null then
    return false;
  end if;
  -- Two writers may want the same day at once; the second waits here and then finds it. It reads the catalog,
  -- because to_regclass would repeat what it said before the wait.
  perform pg_advisory_xact_lock(hashtextextended(in_schema || '.' || partition, 0));
  perform from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = in_schema and relname = partition;
  if found then
    return false;
  end if;
  execute format(
    'create table %I.%I partition of %I.%I for values from (%L) to (%L)',
    in_schema, partition, in_schema, in_table,
    platform.uuid_at(day::timestamp at time zone 'UTC'),
    platform.uuid_at((day + 1)::timestamp at time zone 'UTC')
  );
  return true;
end
$$;

create function platform.maintain_daily_partitions(days_ahead integer, out created integer, out dropped integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  registered record;
  expired record;
begin
  created := 0;
  dropped := 0;
  for registered in select * from platform.daily_partitioned loop
    for offset_days in 0..least(days_ahead, 31) loop
      if platform.ensure_daily_partition(registered.schema_name, registered.table_name, today + offset_days) then
        created := created + 1;
      end if;
    end loop;
    for expired in
      select child.relname
      from pg_inherits
      join pg_class child on child.oid = inhrelid
      join pg_namespace on pg_namespace.oid = child.relnamespace
      where inhparent = to_regclass(format('%I.%I', registered.schema_name, registered.table_name))
        and nspname = registered.schema_name
        and child.relname ~ ('^' || registered.table_name || '_\d{8}$')
        and to_date(right(child.relname, 8), 'YYYYMMDD') < today - registered.keep_days
    loop
      -- Another worker may have been quicker.
      execute format('drop table if exists %I.%I', registered.schema_name, expired.relname);
      dropped := dropped + 1;
    end loop;
  end loop;
end
$$;

revoke execute on all functions in schema platform from public;
