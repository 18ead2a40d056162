/**
 * Sessions of browsers at the console, and links that open such a session once. The tables store only hashes of cookies
 * and of the links' secrets.
 */
export const consoleSessionsSchema = `
create table console_sessions (
  -- SHA-256 of the cookie, as hexadecimal text
  hash text primary key,
  uid text not null references users (uid) on delete cascade,
  created_at timestamptz not null default now(),
  -- accurate to a minute
  used_at timestamptz not null default now()
);
create index console_sessions_by_user on console_sessions (uid, used_at);
create index console_sessions_by_use on console_sessions (used_at);
create index console_sessions_by_time on console_sessions (created_at);

create table console_links (
  -- SHA-256 of the secret in the link, as hexadecimal text
  hash text primary key,
  uid text not null references users (uid) on delete cascade,
  created_at timestamptz not null default now()
);
create index console_links_by_user on console_links (uid, created_at);
create index console_links_by_time on console_links (created_at);
`;
