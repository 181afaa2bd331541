-- Agents that may ask people for access. One whose id is the address of its own description (a metadata document) has
-- no row. A row for such an address blocks it:
--   insert into identity.platform_oauth_clients (client_id, is_active) values ('https://…', false);
create table identity.platform_oauth_clients (
  client_id text primary key,
  kind text not null default 'metadata_document'
    check (kind in ('preregistered', 'dynamic', 'metadata_document')),
  is_active boolean not null default true,
  name text not null default '',
  -- As RFC 7591 names it; empty for a blocked metadata document.
  metadata jsonb not null default '{}',
  -- Where its redirects lead: what the limit for each origin counts.
  origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  -- Registering the same again is no new client, but moves this and the end.
  registered_at timestamptz not null default now(),
  -- Null for those that an operator made.
  expires_at timestamptz,
  check (kind <> 'metadata_document' or client_id like 'https://%'),
  check ((kind = 'dynamic') = (expires_at is not null))
);

-- What a person has allowed an agent, in one organization. It ends with the membership, by being marked or removed, or
-- when no token of it was renewed in time.
create table identity.platform_access_grants (
  id uuid primary key,
  org_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  -- What of the client was approved: when it changes, the person is asked again.
  client_hash text not null,
  redirect_host text not null,
  scopes text[] not null,
  resource text not null,
  -- Names the pair of secrets in use; with another pair every grant is over.
  secrets_fingerprint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (org_id, user_id) references identity.memberships on delete cascade
);

create index platform_access_grants_member on identity.platform_access_grants (org_id, user_id, id);
create index platform_access_grants_client on identity.platform_access_grants (client_id);
create index platform_access_grants_expiry on identity.platform_access_grants (expires_at);

-- Codes, refresh tokens and requests for consent under way. Ids are what somebody carries, so a keyed digest stands
-- for them, and no payload holds one.
create table identity.connector_artifacts (
  digest bytea primary key,
  model text not null,
  payload jsonb not null,
  grant_id uuid references identity.platform_access_grants on delete cascade,
  -- Of a request for consent: who has signed in for it, where the session's cookie is of another host.
  session_id uuid references identity.sessions on delete set null,
  consumed_at timestamptz,
  expires_at timestamptz not null
);

create index connector_artifacts_grant on identity.connector_artifacts (grant_id);
create index connector_artifacts_session on identity.connector_artifacts (session_id);
create index connector_artifacts_expiry on identity.connector_artifacts (expires_at);

-- What a metadata document said when somebody approved it, so that renewing a token does not depend on its host.
create table identity.client_documents (
  client_id text primary key,
  metadata jsonb not null,
  hash text not null,
  fetched_at timestamptz not null default now()
);

create index client_documents_age on identity.client_documents (fetched_at);
