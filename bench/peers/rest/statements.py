"""SQL statements of the service. They use the tables that the product's migrations create."""

KEY = """
select id, uid, scopes, last_used_at from api_keys
where hashed_key = $1 and family = 'dev' and revoked_at is null"""

KEY_USED = """
update api_keys set last_used_at = now()
where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')"""

# Counts a request against all its limits in one statement, as the product does.
COUNT = """
with given as (
  select * from unnest($2::text[], $3::integer[], $4::integer[]) as g (policy, allowed, seconds)
), "full" as (
  select w.policy, w.used, g.allowed, w.ends_at
  from given g join rate_windows w on w.subject = $1 and w.policy = g.policy
  where w.ends_at > now() and w.used >= g.allowed
), counted as (
  insert into rate_windows as w (subject, policy, used, allowed, ends_at)
  select $1, policy, 1, allowed, now() + make_interval(secs => seconds) from given
  where not exists (select from "full") order by policy
  on conflict (subject, policy) do update set
    used = case when w.ends_at <= now() then 1 else w.used + 1 end,
    ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end,
    allowed = excluded.allowed
  where w.ends_at <= now() or w.used < excluded.allowed
  returning w.policy, w.used, w.allowed, w.ends_at
), found as (
  select true as admitted, * from counted union all select false, * from "full"
)
select policy, admitted, used, allowed,
  greatest(0, extract(epoch from ends_at - now()))::double precision as remaining
from found"""

CONVERSATION = """
id, created_at, started_at, finished_at, structured, language, source, status, discarded, starred, clock, merged_into, geolocation, folder_id"""

LIST = f"""
select {CONVERSATION} from conversations
where uid = $1 and status = 'completed' and not discarded and deleted_at is null and not is_locked"""

READ = f"""
select {CONVERSATION}, is_locked from conversations where id = $2 and uid = $1 and deleted_at is null"""

SEGMENTS = """
select conversation_id, id, text, speaker_id, is_user, person_id, start_seconds, end_seconds, translations
from segments where conversation_id = any($1::uuid[]) and not deleted order by conversation_id, position, id"""

USER = "select name from users where uid = $1"
PEOPLE = "select id, name from people where uid = $1 and id = any($2::uuid[])"
FOLDERS = "select id, name from folders where uid = $1 and id = any($2::uuid[])"

NEW_MEMORY = """
insert into memories (id, uid, content, category, visibility, tags, manually_added, reviewed, user_review, edited, scoring,
  is_locked, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, true, true, true, false, $7, false, $8, $8)
returning id::text, content, category, visibility, tags, created_at, updated_at, manually_added, reviewed, user_review, edited,
  scoring"""
