/**
 * Tables with the positions from which devices have sent audio again on a newer stream. Spilled words of an earlier
 * stream that begin after such a position are dropped, because the newer stream stores the same words.
 */
export const audioResumesSchema = `
create table audio_clocks (
  uid text not null,
  source text not null,
  -- empty if the device has no id
  device_id text not null,
  -- chosen by the device
  clock text not null,
  -- number of streams that were opened
  streams integer not null,
  opened_at timestamptz not null default now(),
  primary key (uid, clock, source, device_id)
);
create index audio_clocks_opened_at on audio_clocks (opened_at);
create trigger refuse_deleted_account before insert on audio_clocks for each row execute function refuse_deleted_account();

create table audio_resumes (
  uid text not null,
  source text not null,
  device_id text not null,
  clock text not null,
  -- number of the stream among those of its clock, in the order of their opening
  stream integer not null,
  -- ms of each track, from which the device has sent audio on this stream
  positions double precision[] not null,
  noted_at timestamptz not null default now(),
  primary key (uid, clock, source, device_id, stream)
);
create index audio_resumes_noted_at on audio_resumes (noted_at);
create trigger refuse_deleted_account before insert on audio_resumes for each row execute function refuse_deleted_account();
`;
