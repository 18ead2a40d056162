/**
 * Settings of a user, and data written by the user's own applications: profile, posts, screen activity, daily
 * summaries, chat messages. Times have three fractional digits, as in `memories.ts`.
 */
export const ownDataSchema = `
alter table users add column single_language_mode boolean not null default false;
alter table users add column time_zone text not null default 'UTC';

create table profiles (
  uid text primary key references users (uid) on delete cascade,
  profile_text text not null,
  data_sources_used text[] not null default '{}',
  generated_at timestamptz(3) not null
);

-- ids are given by the application that writes a row, so that writing it again replaces it
create table posts (
  uid text not null references users (uid) on delete cascade,
  id text not null,
  kind text not null check (kind in ('tweet', 'bookmark')),
  text text not null,
  created_at timestamptz(3) not null,
  primary key (uid, id)
);
create index posts_by_time on posts (uid, created_at desc, id desc);

create table screen_activity (
  uid text not null references users (uid) on delete cascade,
  id text not null,
  app_name text not null,
  window_title text,
  ocr_text text,
  created_at timestamptz(3) not null,
  primary key (uid, id)
);
create index screen_activity_by_time on screen_activity (uid, created_at desc, id desc);

create table daily_summaries (
  uid text not null references users (uid) on delete cascade,
  -- the day, YYYY-MM-DD
  id text not null,
  headline text not null,
  overview text not null,
  created_at timestamptz(3) not null,
  primary key (uid, id)
);
create index daily_summaries_by_time on daily_summaries (uid, created_at desc, id desc);

create table chat_messages (
  uid text not null references users (uid) on delete cascade,
  id text not null,
  sender text not null check (sender in ('human', 'ai')),
  type text not null,
  text text not null,
  created_at timestamptz(3) not null,
  primary key (uid, id)
);
create index chat_messages_by_time on chat_messages (uid, created_at desc, id desc);
`;
