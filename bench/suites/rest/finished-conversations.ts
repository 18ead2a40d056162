import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';

/**
 * Sentences of the conversations, spoken one after another. Each conversation has a task, a date, a fact about the
 * speaker and a topic.
 */
const sentences = [
  'Good morning, did you get the draft of the garden plan that I sent on Monday?',
  'Yes, and I think the beds along the wall should be half a metre wider.',
  'I need to call the nursery tomorrow at nine about the apple trees.',
  'My daughter Ella starts school in September, so the swing has to go up before that.',
  'Could you send Anna the invoice for the stones by Friday?',
  'We decided to put the pond on the shady side, where the hose reaches.',
  'I work as a nurse in Portland, so weekdays after six are the only time I have.',
  'The meeting with the builder is next Tuesday at three in the afternoon.',
  'I walked six kilometres on Sunday and my knee is fine again.',
  'Remind me to renew the insurance of the car before the end of the month.',
];
const segmentsOfConversation = 40;
const users = 100;
/** Number of conversations that are inserted as finished at the same time. */
const batch = 10;

const userOf = (number: number): string => `bench-${number % users}`;

const finish = async (sql: Sql, first: number, count: number): Promise<void> => {
  const made = Array.from({ length: count }, (_, place) => ({
    id: randomUUID(),
    uid: userOf(first + place),
  }));
  const segments = made.flatMap(({ id }, place) =>
    Array.from({ length: segmentsOfConversation }, (_, position) => ({
      id: `${position}`,
      conversation_id: id,
      position,
      text: sentences[(first + place + position) % sentences.length]!,
      start_seconds: position * 4,
    })),
  );
  await sql.begin(async (transaction) => {
    await transaction`
      insert into conversations (id, uid, status, source, created_at, started_at, finished_at, last_speech_at)
      select id, uid, 'processing', 'phone', now(), now(), now(), now()
      from jsonb_to_recordset(${sql.json(made)}) as made (id uuid, uid text)`;
    await transaction`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
        end_seconds, stt_provider)
      select id, conversation_id, position, 1, text, 'SPEAKER_00', 0, true, start_seconds, start_seconds + 4, 'local'
      from jsonb_to_recordset(${sql.json(segments)}) as said
        (id text, conversation_id uuid, position double precision, text text, start_seconds double precision)`;
    await transaction`
      select pg_notify('conversation_finished', id) from jsonb_to_recordset(${sql.json(made)}) as made (id text)`;
  });
};

/** Progress of the jobs of these conversations. */
export interface Progress {
  readonly completed: number;
  /**
   * Number of follow-up steps that have not ended. Summaries of days do not count, because they wait until the day is
   * over.
   */
  readonly waiting: number;
  readonly dead: number;
}

export interface FinishedConversations {
  /** Inserts all conversations as finished, spread over `seconds` seconds. */
  finishWithin(seconds: number): Promise<void>;
  progress(): Promise<Progress>;
  /**
   * Number of vectors that the sentence model has made for the conversations' summaries, tasks and memories; 0 without
   * the model.
   */
  embedded(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Creates the users of the conversations. The returned object inserts finished conversations, in the state in which
 * streams leave them. It also reads the progress of their jobs.
 */
export const finishedConversations = async (
  databaseUrl: string,
  count: number,
): Promise<FinishedConversations> => {
  const sql = connectDatabase(databaseUrl, { max: 1, name: 'bench' });
  await sql`
    insert into users (uid, name) select 'bench-' || number, 'Ann' from generate_series(0, ${users - 1}) as number
    on conflict do nothing`;
  return {
    async finishWithin(seconds) {
      const began = performance.now();
      for (let first = 0; first < count; first += batch) {
        await finish(sql, first, Math.min(batch, count - first));
        const due = began + (1000 * seconds * (first + batch)) / count;
        await pause(Math.max(0, due - performance.now()));
      }
    },
    async progress() {
      const [row] = await sql<Progress[]>`
        select
          (select count(*)::integer from conversations where uid like 'bench-%' and status = 'completed') as completed,
          (select count(*)::integer from steps where state = 'waiting' and step <> 'daily_summary') as waiting,
          (select count(*)::integer from steps where state = 'dead') as dead`;
      return row!;
    },
    async embedded() {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from search_vectors where uid like 'bench-%' and length(vector) > 0`;
      return row!.count;
    },
    close: () => sql.end({ timeout: 1 }),
  };
};
