create table identity.orgs (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  created_at timestamptz not null default now()
);

create table identity.users (
  id uuid primary key,
  email text not null,
  name text,
  created_at timestamptz not null default now()
);

create unique index users_email on identity.users (lower(email));

create table identity.memberships (
  org_id uuid not null references identity.orgs on delete cascade,
  user_id uuid not null references identity.users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'developer', 'admin', 'owner')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);

create index memberships_user on identity.memberships (user_id);

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

create index api_tokens_member on identity.api_tokens (org_id, user_id);
