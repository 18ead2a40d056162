/** Identities of users at other services that people may sign in with. */
export const upstreamSchema = `
create table upstream_identities (
  issuer text not null,
  subject text not null,
  uid text not null references users (uid) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index upstream_identities_by_user on upstream_identities (uid);
`;
