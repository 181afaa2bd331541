-- Only the keyed digest of a token is stored. A token acts as its person, in its organization: when the
-- membership goes, the token goes with it.
create table identity.api_tokens (
  id uuid primary key,
  org_id uuid not null,
  user_id uuid not null,
  name text not null,
  digest bytea not null unique,
  -- The first characters, by which a person tells tokens apart.
  prefix text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  foreign key (org_id, user_id) references identity.memberships on delete cascade
);

create index api_tokens_member on identity.api_tokens (org_id, user_id, id);

-- A browser that signed in. The cookie holds a secret of which this is the keyed digest.
create table identity.sessions (
  id uuid primary key,
  user_id uuid not null references identity.users on delete cascade,
  digest bytea not null unique,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_user on identity.sessions (user_id);
create index sessions_expiry on identity.sessions (expires_at);

-- What an app on another origin exchanges, once and within a minute, for a token.
create table identity.exchange_codes (
  digest bytea primary key,
  session_id uuid not null references identity.sessions on delete cascade,
  origin text not null,
  expires_at timestamptz not null,
  -- Kept for a while after its use: a code that comes twice has been seen by somebody else.
  used_at timestamptz
);

create index exchange_codes_expiry on identity.exchange_codes (expires_at);

-- The vendor's staff in a customer's organization, seen by the customer.
create table identity.support_sessions (
  org_id uuid not null references identity.orgs on delete cascade,
  id uuid not null unique,
  staff text not null,
  reason text not null,
  digest bytea not null unique,
  access text not null check (access in ('read', 'write')),
  started_at timestamptz not null default now(),
  elevated_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null,
  primary key (org_id, id)
);
