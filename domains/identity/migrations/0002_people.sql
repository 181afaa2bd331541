create table identity.orgs (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  created_at timestamptz not null default now()
);

-- Whoever signs in with a vouched address of the domain joins the organization, so a domain has one at most.
create table identity.org_domains (
  domain text primary key,
  org_id uuid not null references identity.orgs on delete cascade
);

create index org_domains_org on identity.org_domains (org_id);

create table identity.users (
  id uuid primary key,
  email text not null,
  -- Whether a provider has vouched for the address. One that has not is shown and never relied on.
  email_vouched boolean not null,
  name text,
  created_at timestamptz not null default now()
);

create unique index users_vouched_email on identity.users (lower(email)) where email_vouched;

-- The accounts at sign-in providers by which a person is known. A person an operator or an invitation named
-- before the first sign-in has none yet.
create table identity.sign_in_accounts (
  provider text not null check (provider in ('google', 'microsoft')),
  -- Google: sub. Microsoft: tid and oid. Never an address, which its holder can change.
  subject text not null,
  user_id uuid not null references identity.users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (provider, subject)
);

create index sign_in_accounts_user on identity.sign_in_accounts (user_id);

create table identity.memberships (
  org_id uuid not null references identity.orgs on delete cascade,
  user_id uuid not null references identity.users on delete cascade,
  id uuid not null unique,
  role text not null check (role in ('viewer', 'member', 'developer', 'admin', 'owner')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);

create index memberships_user on identity.memberships (user_id);

-- Open until accepted, revoked or expired; one open invitation for an address.
create table identity.invitations (
  org_id uuid not null references identity.orgs on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('viewer', 'member', 'developer', 'admin', 'owner')),
  invited_by uuid references identity.users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (org_id, id)
);

create unique index invitations_email on identity.invitations (org_id, lower(email));
create index invitations_by_email on identity.invitations (lower(email));
