import { CochleaError } from '../../errors/index.js';
import { speechIn, timeZoneOf } from '../../service/records/index.js';
import { isDatabaseAway, type Sql } from '../../store/client/index.js';
import {
  type ClaimedConversation,
  claimFinished,
  completeFinished,
  deleteEmpty,
  failFinished,
} from '../../store/conversations/index.js';
import { transcriptOf } from '../../store/segments/index.js';
import { mergeConversations } from '../devices/index.js';
import { inputOf } from '../input/index.js';
import { photoSummary } from '../photos/index.js';
import { errorCode, lostAttempts, retryLimit, type StepContext } from '../work/index.js';
import { followingOf } from './following.js';
import { summaryOf } from './summary.js';

/**
 * Outcome of an attempt. `changed`: more speech arrived meanwhile, so the attempt must be repeated. `merged`: the words moved to another
 * conversation.
 */
export type Processed = 'completed' | 'discarded' | 'deleted' | 'failed' | 'settled' | 'changed' | 'merged';

/**
 * Summarises one finished conversation. May be called several times for one conversation, because it changes only a
 * conversation that waits for a summary. The summary and its following steps are stored only if the conversation still
 * has the revision that was summarised.
 *
 * Rejects with the error if the attempt should be repeated. After the last attempt the conversation is `failed`.
 */
export const processConversation = async (context: StepContext, id: string): Promise<Processed> => {
  const { sql } = context;
  const claimed = await claimFinished(sql, id);
  if (!claimed) return 'settled';
  const segments = await transcriptOf(sql, id);
  if (segments.length === 0) {
    const seen = await photoSummary(sql, claimed.uid, id);
    if (seen === null) {
      await deleteEmpty(sql, claimed);
      return 'deleted';
    }
    const end = { generatedBy: seen.generatedBy, error: null };
    return (await completeFinished(sql, claimed, seen, [], { end, steps: [], day: null }))
      ? 'completed'
      : 'changed';
  }
  const startedAt = claimed.started_at ?? claimed.created_at;
  const zone = await timeZoneOf(sql, claimed.uid);
  const speech = await speechIn(startedAt.getTime(), segments, claimed.uses_custom_stt, zone);
  const last = claimed.processing_attempts > retryLimit;
  // If a process ends during an attempt, the attempt reports no error. This condition limits the number of such
  // attempts.
  if (claimed.processing_attempts > retryLimit + lostAttempts) {
    return giveUp(sql, context, claimed, speech, new CochleaError('internal'));
  }
  try {
    const merge = await mergeConversations(sql, claimed);
    if (merge !== 'alone') return merge;
    const input = await inputOf(context, claimed, segments);
    const { result, generatedBy, error } = await summaryOf(context, input, { last, keep: false });
    const after = { end: { generatedBy, error }, ...followingOf(context, input, result) };
    if (!(await completeFinished(sql, claimed, result, speech, after))) return 'changed';
    return result.discarded ? 'discarded' : 'completed';
  } catch (error) {
    if (isDatabaseAway(error) || context.signal.aborted || !last) throw error;
    return giveUp(sql, context, claimed, speech, error);
  }
};

const giveUp = async (
  sql: Sql,
  { log }: StepContext,
  claimed: ClaimedConversation,
  speech: Parameters<typeof failFinished>[2],
  error: unknown,
): Promise<Processed> => {
  const attempts = claimed.processing_attempts;
  log.error({ conversation: claimed.id, attempts, code: errorCode(error) }, 'conversation failed for good');
  await failFinished(sql, claimed, speech);
  return 'failed';
};
