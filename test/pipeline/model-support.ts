/** Makes conversations and answers for tests of the steps that use a language model. */
import { randomUUID } from 'node:crypto';
import { createUser } from '../../src/identity/users.js';
import { createGoal } from '../../src/service/records/goals.js';
import type { Sql } from '../../src/store/client/database.js';
import { stepNames } from '../../src/wire/step.js';
import type { ModelRequest, ModelServer } from '../support/servers/model-server.js';
import { until } from '../support/until.js';

/** All steps that ask a model, and before them `discard`, the question whether to keep the conversation. */
export const askedSteps = ['discard', ...stepNames] as const;

export const modelName = 'llm:tiny';

const textOf = ({ messages }: ModelRequest): string => messages[1]?.content ?? '';

/** Returns the mark of a request's conversation. The mark is in the transcript and in every answer. */
export const markOf = (request: ModelRequest): string => /\[([^\]\n]*)\]/.exec(textOf(request))?.[1] ?? '';

/** Returns a good answer to every step, with the mark of its conversation. */
export const goodAnswer = (request: ModelRequest): unknown => {
  const mark = `[${markOf(request)}]`;
  switch (request.step) {
    case 'discard':
      return { keep: true };
    case 'structure':
      return {
        title: `Told ${mark}`,
        overview: `It was told by the model ${mark}.`,
        emoji: '🪴',
        category: 'health',
        events: [{ title: 'Check-up', description: '', start: '2026-03-03T15:00', duration_minutes: 45 }],
      };
    case 'memories':
      return textOf(request).includes('\nnew: ')
        ? { decision: 'keep', replaces: [], content: '' }
        : { memories: [{ content: `Has a dentist ${mark}.`, category: 'system' }] };
    case 'action_items':
      return { items: [{ description: `Call the dentist ${mark}`, due: '2026-03-03T09:00' }] };
    case 'folder':
      return { folder: 1, confidence: 0.9 };
    case 'goal_progress':
      return { progress: [{ goal: 1, kind: 'total', value: 7 }] };
    case 'daily_summary':
      return { headline: `A day ${mark}`, overview: `It was a day ${mark}.` };
    default:
      return 'An answer.';
  }
};

/** Monday, 10:00 in Berlin. */
export const began = new Date('2026-03-02T09:00:00Z');

/** Stores a finished conversation of a new user in Berlin with a goal. */
export const finishedConversation = async (
  sql: Sql,
  mark: string,
  text = `I work as a nurse. I ran 5 km this morning. I need to call the dentist tomorrow at nine [${mark}].`,
): Promise<{ readonly uid: string; readonly id: string }> => {
  const uid = `user of ${mark}`;
  const id = randomUUID();
  await createUser(sql, { uid, name: 'Ann' });
  await sql`update users set time_zone = 'Europe/Berlin' where uid = ${uid}`;
  await createGoal(sql, uid, { title: 'Run', target_value: 10, unit: 'km' });
  // All rows are written in one transaction, because a pipeline removes a conversation without words as soon as it sees it.
  await sql.begin(async (transaction) => {
    await transaction`
      insert into conversations (id, uid, status, source, created_at, started_at, finished_at, last_speech_at)
      values (${id}, ${uid}, 'processing', 'phone', ${began}, ${began}, ${began}, ${began})`;
    await transaction`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
        end_seconds)
      values (${randomUUID()}, ${id}, 0, 1, ${text}, 'SPEAKER_00', 0, true, 0, 9)`;
  });
  await sql.notify('conversation_finished', id);
  return { uid, id };
};

/**
 * A summary that has been outside the queue for this time in ms waits for its next attempt. Before that, it may still
 * be on its way into the queue.
 */
const onItsWay = 1000;

/** Ends the pauses of failed summaries. @param seen time at which each claim was first seen outside the queue. */
const endPauses = async (sql: Sql, seen: Map<string, number>): Promise<void> => {
  const waiting = await sql<{ id: string; claim: string }[]>`
    select id, id || ' ' || claimed_at as claim from conversations
    where status = 'processing' and claimed_at is not null and processing_attempts > 0 and not exists (
      select from pgboss.job
      where name = 'conversation' and data->>'id' = conversations.id::text and state in ('created', 'active'))`.catch(
    () => [],
  );
  for (const { id, claim } of waiting) {
    const first = seen.get(claim) ?? Date.now();
    seen.set(claim, first);
    if (Date.now() - first > onItsWay) {
      await sql`update conversations set claimed_at = null where id || ' ' || claimed_at = ${claim} and id = ${id}`;
    }
  }
};

/** Waits until all work is done, and skips the pauses between attempts. On a busy machine it fails only if no work progresses. */
export const untilSettled = async (sql: Sql, what: string): Promise<void> => {
  const seen = new Map<string, number>();
  const openNow = async (): Promise<number> => {
    await endPauses(sql, seen);
    await sql`update steps set due_at = now() where state = 'waiting' and step = 'daily_summary' and attempts = 0`;
    // A step with a lost job is normally due again a minute after it was queued. Here that takes ten seconds.
    await sql`
      update steps set due_at = now()
      where state = 'waiting' and due_at between now() and now() + interval '50 seconds'`;
    const [row] = await sql<{ open: number }[]>`
      select (select count(*)::integer from conversations where status = 'processing')
        + (select count(*)::integer from steps where state = 'waiting') as open`;
    await sql.notify('conversation_finished', '');
    return row!.open;
  };
  for (let before = await openNow(), now = before; now > 0; before = now) {
    await until(async () => {
      now = await openNow();
      // Checks again until the number stays the same, because a finished summary creates steps.
      return now !== before;
    }, what);
  }
};

export interface Outcome {
  readonly status: string;
  readonly title: string;
  readonly made_by: string;
  readonly discarded: boolean;
  readonly folder: string | null;
  readonly memories: string[];
  readonly items: string[];
  readonly structured_items: string[];
  readonly goal: number;
  readonly days: string[];
  readonly steps: Record<string, { state: string; by: string | null; error: string | null }>;
}

/** Returns all records made from a conversation. */
export const outcomeOf = async (sql: Sql, { uid, id }: { uid: string; id: string }): Promise<Outcome> => {
  const [row] = await sql<Outcome[]>`
    select status, structured->>'title' as title, generated_by as made_by, discarded,
      (select name from folders where folders.id = folder_id) as folder,
      coalesce(jsonb_path_query_array(structured, '$.action_items[*].description'), '[]') as structured_items,
      (select coalesce(jsonb_agg(content), '[]') from memories m where m.uid = c.uid and invalid_at is null) as memories,
      (select coalesce(jsonb_agg(description), '[]') from action_items a where a.uid = c.uid) as items,
      (select current_value from goals g where g.uid = c.uid) as goal,
      (select coalesce(jsonb_agg(headline), '[]') from daily_summaries d where d.uid = c.uid) as days,
      (select jsonb_object_agg(step, jsonb_build_object('state', state, 'by', generated_by, 'error', error))
        from steps s where s.uid = c.uid) as steps
    from conversations c where id = ${id}`;
  return { ...row!, uid } as Outcome;
};

export const useGoodAnswers = (server: ModelServer): void => {
  server.answer = goodAnswer;
  server.fault = () => undefined;
};
