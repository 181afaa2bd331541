-- Databases that svc makes and looks after. Their names on the server come from the id, so that two organizations
-- may call theirs the same.
create table data_sources.databases (
  org_id uuid not null,
  name text not null,
  id uuid not null unique,
  description text,
  status text not null check (status in ('creating', 'ready', 'deleting')),
  -- Where it is; null while nobody can reach it.
  address jsonb,
  -- Sealed passwords. A rotation writes the next ones first: whichever step it dies at, one of both works.
  owner_secret text not null,
  reader_secret text not null,
  next_owner_secret text,
  next_reader_secret text,
  delete_after timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, name),
  check ((status = 'deleting') = (delete_after is not null)),
  check ((next_owner_secret is null) = (next_reader_secret is null))
);

-- What there is to do for whoever keeps the databases up; few rows at any time.
create index databases_unfinished on data_sources.databases (id) where status <> 'ready' or next_owner_secret is not null;

-- A database seen as something that can be asked. Each database has exactly one.
create table data_sources.sources (
  org_id uuid not null,
  database_name text not null,
  id uuid not null,
  enabled boolean not null,
  exposed boolean not null default false,
  min_role text not null default 'viewer' check (min_role in ('viewer', 'developer', 'admin', 'owner')),
  -- As it was sent; null until one is saved.
  connection_config jsonb,
  filter_schema jsonb not null default '{}',
  -- What the check found in the catalog at that save: all that a search needs to know.
  search_plan jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, database_name),
  unique (org_id, id),
  foreign key (org_id, database_name) references data_sources.databases on delete cascade,
  check (enabled or not exposed),
  check ((connection_config is null) = (search_plan is null))
);

create index sources_exposed on data_sources.sources (org_id) where exposed;

-- Organizations that may ask more, or less, than the operator's default.
create table data_sources.question_limits (
  org_id uuid primary key,
  per_minute integer not null check (per_minute >= 0),
  per_day integer not null check (per_day >= 0)
);

-- Every question, without its words and without what was found. Digests are keyed: a short question cannot be guessed.
create table data_sources.activity (
  org_id uuid not null,
  id uuid not null,
  type text not null,
  source_id text not null,
  source text not null,
  caller_kind text not null,
  user_id uuid,
  user_email text,
  client_id text,
  duration_ms real not null,
  question_bytes integer not null,
  answer_bytes integer not null,
  hits smallint not null,
  question_digest bytea not null,
  answer_digest bytea,
  outcome text not null,
  primary key (org_id, id)
) partition by range (id);

insert into platform.daily_partitioned (schema_name, table_name, keep_days) values ('data_sources', 'activity', 90);

select platform.maintain_daily_partitions(7);
