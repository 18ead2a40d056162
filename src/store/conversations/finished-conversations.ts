import { firstRow, type Sql } from '../client/index.js';
import {
  recordStep,
  requestDay,
  requestSteps,
  type StepEnd,
  type WantedDay,
  type WantedStep,
} from '../jobs/index.js';
import type { ConversationRow } from '../record/index.js';
import { recordSpeech, type SpeechUsage } from '../records/index.js';
import { announceCompletion, completion, prepareFiling, type Summary } from './completion.js';

const claimedColumns =
  'id, uid, language, source, uses_custom_stt, started_at, created_at, finished_at, revision, processing_attempts';

/** The columns of a finished conversation that the pipeline needs. */
export interface ClaimedConversation extends ConversationRow<typeof claimedColumns> {
  /** The user's setting for merging the transcripts of several devices. */
  readonly merge_devices: boolean;
}

/**
 * Claims a conversation that waits for its summary. Null when the conversation does not wait, or when its account is
 * being deleted.
 */
export const claimFinished = (sql: Sql, id: string): Promise<ClaimedConversation | null> =>
  firstRow(sql<ClaimedConversation[]>`
    update conversations set claimed_at = now(), processing_attempts = processing_attempts + 1
    where id = ${id} and status = 'processing' and deleted_at is null
      and not exists (select from users where users.uid = conversations.uid and users.deleting_at is not null)
    returning ${sql.unsafe(claimedColumns)},
      coalesce((select merge_devices from users where users.uid = conversations.uid), false) as merge_devices`);

/** Data stored together with the summary of a conversation. */
export interface AfterSummary {
  /** How the summary step ended. */
  readonly end: StepEnd;
  /** The steps to run next. */
  readonly steps: readonly WantedStep[];
  /** The day of the conversation, which needs a summary; null when the conversation is discarded. */
  readonly day: WantedDay | null;
}

const storeAfter = async (sql: Sql, uid: string, id: string, after: AfterSummary): Promise<void> => {
  await recordStep(sql, uid, id, 'structure', after.end);
  await requestSteps(sql, uid, id, after.steps);
  if (after.day) await requestDay(sql, after.day);
};

/**
 * Stores the summary of a conversation with its speech usage and next steps, and announces it.
 * @returns false when the conversation has changed since it was claimed; another job processes it again.
 */
export const completeFinished = async (
  sql: Sql,
  claimed: ClaimedConversation,
  summary: Summary,
  speech: readonly SpeechUsage[],
  after: AfterSummary,
): Promise<boolean> =>
  (await sql.begin(async (begun) => {
    const transaction = begun as unknown as Sql;
    await prepareFiling(transaction, claimed.uid, summary);
    const done = await transaction`
      update conversations set ${completion(transaction, summary)},
        finished_at = greatest(finished_at, last_speech_at), merged_into = null
      where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision} and deleted_at is null
      returning id`;
    if (done.length === 0) return false;
    await recordSpeech(transaction, claimed.id, claimed.uid, speech);
    await storeAfter(transaction, claimed.uid, claimed.id, after);
    await announceCompletion(transaction, claimed.id);
    return true;
  })) as boolean;

/**
 * Replaces the summary of a completed conversation. Called in the transaction that ends the step which made the new
 * summary. Does nothing when the conversation has changed since `revision`. In that case, the change has already
 * requested another summary.
 */
export const replaceSummary = async (
  sql: Sql,
  { id, uid, revision }: { readonly id: string; readonly uid: string; readonly revision: number },
  summary: Summary,
  { steps, day }: Omit<AfterSummary, 'end'>,
): Promise<void> => {
  await prepareFiling(sql, uid, summary);
  const replaced = await sql`
    update conversations set ${completion(sql, summary)}
    where id = ${id} and status = 'completed' and revision = ${revision} and deleted_at is null returning id`;
  if (replaced.length === 0) return;
  await requestSteps(sql, uid, id, steps);
  if (day) await requestDay(sql, day);
};

/**
 * Marks a conversation as failed because its summary cannot be made. The transcript of a failed conversation can still
 * be read by id.
 */
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

/** Removes a conversation that has neither words nor photos. */
export const deleteEmpty = async (sql: Sql, claimed: ClaimedConversation): Promise<void> => {
  await sql`
    delete from conversations c where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision}
      and not exists (select 1 from segments s where s.conversation_id = c.id and not s.deleted)
      and not exists (select 1 from photos p where p.conversation_id = c.id)`;
};
