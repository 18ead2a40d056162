/** Streams of the older transport of the tool server, each of which one sidecar keeps, and messages that reached another one. */
export const toolStreamsSchema = `
create table tool_streams (
  id text primary key,
  uid text not null references users (uid) on delete cascade,
  -- which keeps it
  sidecar text not null,
  -- when that sidecar said so last
  seen_at timestamptz not null default now()
);
create index tool_streams_by_sidecar on tool_streams (sidecar);
create index tool_streams_by_user on tool_streams (uid);
create index tool_streams_by_time on tool_streams (seen_at);

create table tool_stream_messages (
  id bigint generated always as identity primary key,
  stream text not null references tool_streams (id) on delete cascade,
  scopes text[] not null,
  -- of the protocol, where the client names it
  revision text,
  message text not null
);
create index tool_stream_messages_by_stream on tool_stream_messages (stream, id);
`;
