/** Action items, goals and the progress of goals. Times have three fractional digits, as in `memories.ts`. */
export const tasksSchema = `
create table action_items (
  id uuid primary key,
  uid text not null references users (uid) on delete cascade,
  description text not null,
  completed boolean not null,
  due_at timestamptz(3),
  completed_at timestamptz(3),
  conversation_id uuid,
  is_locked boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- the product order: open ones first, then by due date, those without one last, then the newest
create index action_items_in_order on action_items
  (uid, completed, (coalesce(due_at, 'infinity')), created_at desc, id desc) where not is_locked;
create index action_items_by_conversation on action_items (uid, conversation_id) where conversation_id is not null;

create table goals (
  id text primary key,
  uid text not null references users (uid) on delete cascade,
  title text not null,
  desired_outcome text not null,
  why_it_matters text,
  success_criteria text[] not null default '{}',
  horizon_at timestamptz(3),
  status text not null check (status in ('background', 'focused', 'paused', 'achieved', 'abandoned')),
  is_active boolean not null generated always as (status in ('background', 'focused')) stored,
  focus_rank integer,
  source text not null check (source in ('user', 'ai_suggested', 'imported')),
  -- the metric; all of it is null for a goal without one, except for the unit, which may be absent
  goal_type text check (goal_type in ('boolean', 'scale', 'numeric')),
  target_value double precision,
  current_value double precision,
  min_value double precision,
  max_value double precision,
  unit text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index goals_by_user on goals (uid, created_at desc, id desc);
create index goals_active on goals (uid, created_at, id) where is_active;

create table goal_history (
  goal_id text not null references goals (id) on delete cascade,
  -- in UTC
  day date not null,
  value double precision not null,
  recorded_at timestamptz(3) not null,
  primary key (goal_id, day)
);
`;
