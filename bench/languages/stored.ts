import type { Sql } from '../../src/store/client/database.js';

/** A segment with wall-clock times in ms. */
export interface StoredSegment {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly model: string | null;
}

/** Speech that the server has stored for one user. */
export interface StoredSpeech {
  readonly segments: readonly StoredSegment[];
  readonly conversations: readonly { readonly id: string; readonly language: string }[];
}

/** Returns the stored speech of all users. Keys are user ids. */
export const storedSpeech = async (sql: Sql): Promise<ReadonlyMap<string, StoredSpeech>> => {
  const conversations = await sql<{ uid: string; id: string; language: string }[]>`
    select uid, id, language from conversations order by started_at`;
  const segments = await sql<(StoredSegment & { uid: string })[]>`
    select uid, text, stt_model as model, extract(epoch from started_at) * 1000.0 + start_seconds * 1000 as from,
      extract(epoch from started_at) * 1000.0 + end_seconds * 1000 as to
    from segments join conversations on conversations.id = conversation_id where not deleted`;
  const users = [...new Set(conversations.map(({ uid }) => uid))];
  return new Map(
    users.map((user) => [
      user,
      {
        conversations: conversations.filter(({ uid }) => uid === user),
        segments: segments
          .filter(({ uid }) => uid === user)
          .map(({ from, to, text, model }) => ({ from: Number(from), to: Number(to), text, model })),
      },
    ]),
  );
};

/** Returns the number of jobs for retained audio, by their state. */
export const retainedJobs = async (sql: Sql): Promise<Readonly<Record<string, number>>> => {
  const rows = await sql<{ state: string; jobs: number }[]>`
    select state, count(*)::int as jobs from retained_audio group by state`;
  return Object.fromEntries(rows.map(({ state, jobs }) => [state, jobs]));
};
