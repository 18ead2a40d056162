/**
 * Requests that users have made in the current window of each rate limit. The table is not logged: a crash of the server forgets
 * the counts, and a request waits for no write to the disk. Free space in each page keeps the updates inside it.
 */
export const rateWindowsSchema = `
create unlogged table rate_windows (
  subject text not null,
  policy text not null,
  used integer not null,
  allowed integer not null,
  ends_at timestamptz not null,
  primary key (subject, policy)
) with (fillfactor = 50);
create index rate_windows_by_end on rate_windows (ends_at);
`;
