import { announce, completion, prepareFiling, type Summary } from './conversation-completion.js';
import type { Sql } from './database.js';
import { recordSpeech, type SpeechUsage } from './usage.js';

/** The values of a finished conversation that the pipeline needs. */
export interface ClaimedConversation {
  readonly id: string;
  readonly uid: string;
  readonly language: string;
  readonly source: string;
  readonly uses_custom_stt: boolean;
  readonly started_at: Date | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly revision: number;
  readonly processing_attempts: number;
}

/** Claims a conversation that waits for its summary; null when it does not wait for one. */
export const claimFinished = async (sql: Sql, id: string): Promise<ClaimedConversation | null> => {
  const [row] = await sql<ClaimedConversation[]>`
    update conversations set claimed_at = now(), processing_attempts = processing_attempts + 1
    where id = ${id} and status = 'processing' and deleted_at is null
    returning id, uid, language, source, uses_custom_stt, started_at, created_at, finished_at, revision, processing_attempts`;
  return row ?? null;
};

/**
 * Stores the summary of a conversation, with what was transcribed of it, and announces it.
 * @returns false when the conversation has changed since it was claimed; another job processes it again.
 */
export const completeFinished = async (
  sql: Sql,
  claimed: ClaimedConversation,
  summary: Summary,
  speech: readonly SpeechUsage[],
): Promise<boolean> =>
  (await sql.begin(async (begun) => {
    const transaction = begun as unknown as Sql;
    await prepareFiling(transaction, claimed.uid, summary);
    const done = await transaction`
      update conversations set ${completion(transaction, summary)},
        finished_at = greatest(finished_at, last_speech_at)
      where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision} and deleted_at is null
      returning id`;
    if (done.length === 0) return false;
    await recordSpeech(transaction, claimed.id, claimed.uid, speech);
    await announce(transaction, claimed.id);
    return true;
  })) as boolean;

/** Marks a conversation as failed when its summary cannot be made. Its transcript can still be read by id. */
export const failFinished = async (
  sql: Sql,
  claimed: ClaimedConversation,
  speech: readonly SpeechUsage[],
): Promise<void> => {
  await sql.begin(async (begun) => {
    const transaction = begun as unknown as Sql;
    const failed = await transaction`
      update conversations set status = 'failed', claimed_at = null, updated_at = now()
      where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision} returning id`;
    if (failed.length > 0) await recordSpeech(transaction, claimed.id, claimed.uid, speech);
  });
};

/** Removes a conversation in which nothing was said. */
export const deleteEmpty = async (sql: Sql, claimed: ClaimedConversation): Promise<void> => {
  await sql`
    delete from conversations c where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision}
      and not exists (select 1 from segments s where s.conversation_id = c.id and not s.deleted)`;
};
