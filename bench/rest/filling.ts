import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { developerScopes } from '../../src/identity/scopes.js';
import type { Sql } from '../../src/store/client/database.js';
import { checkout } from '../checkout.js';

/** Amount of data in the database. */
export interface Filling {
  readonly users: number;
  /** Number of conversations of all users together. */
  readonly conversations: number;
  /** Number of conversations of the first user. The other users have equal shares of the remaining ones. */
  readonly largest: number;
}

/** Every tenth conversation has a transcript. */
const transcriptEvery = 10;
/** Number of segments in a transcript. */
export const transcriptLength = 20;
/** Maximum number of rows that one statement inserts. */
const atOnce = 100_000;

export const uidOf = (user: number): string => `user-${String(user).padStart(5, '0')}`;

const secretOf = (user: number): string => createHash('md5').update(`bench key ${user}`).digest('hex');

/**
 * Returns the developer key of a user, which has every scope. The key is not secret, because only bench databases
 * contain it.
 */
export const keyOf = (user: number): string => `svc_dev_${secretOf(user)}`;

const sentences = (): string[] => {
  const file = new URL('fixtures/speech/transcripts.json', checkout);
  const { utterances } = JSON.parse(readFileSync(file, 'utf8')) as { utterances: { text: string }[] };
  return utterances.map(({ text }) => text);
};

/** Returns SQL for a version 4 UUID. It is derived from a text, but looks random. */
const uuidFrom = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing 'a' from 17)::uuid`;

/** Returns SQL that selects a sentence of the parameter `$3` by a number. */
const sentence = (number: string): string => `($3::text[])[1 + (${number}) % cardinality($3::text[])]`;

const usersStatement = `
insert into users (uid, name, language)
select 'user-' || lpad(n::text, 5, '0'), 'User ' || n, 'en' from generate_series(1, $1::integer) as n`;

const keysStatement = `
insert into api_keys (id, uid, family, name, hashed_key, key_prefix, scopes)
select ${uuidFrom(`'key ' || n`)}, 'user-' || lpad(n::text, 5, '0'), 'dev', 'bench',
  encode(sha256(convert_to(md5('bench key ' || n), 'UTF8')), 'hex'), 'svc_dev_bench', $2::text[]
from generate_series(1, $1::integer) as n`;

/**
 * Inserts conversations, one minute apart. They alternate between users as in real use, so the rows of one user are
 * scattered over the disk. Every `$4`-th conversation belongs to the first user; `$5` users share the others.
 */
const conversationsStatement = `
insert into conversations (id, uid, status, source, created_at, started_at, finished_at, last_speech_at, structured,
  generated_by, starred, completed_at)
select ${uuidFrom(`'conversation ' || n`)},
  'user-' || lpad((case when n % $4::integer = 0 then 1 else 2 + (n * 7919::bigint) % $5::integer end)::text, 5, '0'),
  'completed', 'wearable', moment, moment, moment + interval '7 minutes', moment + interval '7 minutes',
  jsonb_build_object(
    'title', left(${sentence('n')}, 60), 'emoji', '🧠',
    'overview', ${[1, 2, 3, 4, 5].map((step) => sentence(`n + ${step}`)).join(` || ' ' || `)},
    'category', (array['work', 'personal', 'health', 'education', 'other'])[1 + n % 5],
    'events', '[]'::jsonb,
    'action_items', (
      select coalesce(jsonb_agg(jsonb_build_object('description', ${sentence('n + item')}, 'completed', item = 2,
        'created_at', to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'updated_at', null, 'due_at', null,
        'completed_at', null, 'conversation_id', null)), '[]'::jsonb)
      from generate_series(1, (n % 3)::integer) as item
    )
  ), 'extractive', n % 11 = 0, moment + interval '8 minutes'
from generate_series($1::integer, $2::integer) as n,
  lateral (select timestamptz '2025-01-01 00:00:00Z' + n * interval '1 minute' + (n % 7) * interval '1 millisecond') as t (moment)
order by n`;

/**
 * Inserts a transcript for every tenth conversation of each user. `$4` has the same meaning as in
 * `conversationsStatement`. The conversations of the first user are counted separately.
 */
const segmentsStatement = `
insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds,
  stt_provider)
select ${uuidFrom(`'segment ' || n || ' ' || part`)}::text, ${uuidFrom(`'conversation ' || n`)}, part, 1,
  ${sentence('n + part')} || ' ' || ${sentence('n + part * 3')}, 'SPEAKER_0' || part % 2, part % 2, part % 2 = 0,
  part * 20, part * 20 + 18.5, 'local'
from generate_series($1::integer, $2::integer) as n, generate_series(0, ${transcriptLength - 1}) as part
where (case when n % $4::integer = 0 then n / $4::integer else n end) % ${transcriptEvery} = 3
order by n, part`;

const statements = [usersStatement, keysStatement, conversationsStatement, segmentsStatement];

/** Returns a hash that identifies the data in a database. A database with an equal hash can be reused. */
export const stampOf = (filling: Filling): string =>
  createHash('sha256')
    .update(JSON.stringify([filling, statements, sentences()]))
    .digest('hex');

/** Fills a migrated, empty database. A million conversations take minutes. */
export const fill = async (sql: Sql, filling: Filling, tell?: (line: string) => void): Promise<void> => {
  const { users, conversations, largest } = filling;
  const every = Math.max(1, Math.floor(conversations / largest));
  const said = sentences();
  await sql.unsafe(usersStatement, [users]);
  await sql.unsafe(keysStatement, [users, [...developerScopes] as never]);
  const material = (statement: string, first: number, last: number, ...more: number[]) =>
    sql.unsafe(statement, [first, last, said as never, every, ...more]);
  for (let first = 1; first <= conversations; first += atOnce) {
    tell?.(`filling the database: ${first - 1} of ${conversations} conversations`);
    const last = Math.min(conversations, first + atOnce - 1);
    await material(conversationsStatement, first, last, Math.max(1, users - 1));
    await material(segmentsStatement, first, last);
  }
  // The database is vacuumed and analyzed now. Otherwise autovacuum would run during the measurement.
  await sql.unsafe('vacuum (analyze)');
  await sql.unsafe('checkpoint');
};
