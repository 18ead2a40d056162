/**
 * Number of requests of each user in the current window of each rate limit. The table is unlogged, so requests do not
 * wait for a disk write. A server crash resets the counts. Each page has free space, so that updated rows stay in their
 * page.
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
