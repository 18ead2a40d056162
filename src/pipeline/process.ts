import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { type StructureExtractor, speechIn, summarise } from '../service/index.js';
import type { Sql } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import {
  claimFinished,
  completeFinished,
  deleteEmpty,
  failFinished,
} from '../store/finished-conversations.js';
import { segmentsOf } from '../store/segments.js';
import { retryLimit } from './queue.js';

/** Result of an attempt. `changed`: more was said meanwhile, so it has to be repeated. */
export type Processed = 'completed' | 'discarded' | 'deleted' | 'failed' | 'settled' | 'changed';

/**
 * Summarises one finished conversation. May be repeated: a conversation that does not wait for a summary is not changed, and a
 * summary is stored only with the revision from which it was made.
 *
 * Rejects with the error when the attempt should be repeated. After the last attempt the conversation is `failed`.
 */
export const processConversation = async (
  sql: Sql,
  extractor: StructureExtractor,
  id: string,
  log: Logger,
): Promise<Processed> => {
  const claimed = await claimFinished(sql, id);
  if (!claimed) return 'settled';
  const segments = (await segmentsOf(sql, [id])).get(id)!;
  if (segments.length === 0) {
    await deleteEmpty(sql, claimed);
    return 'deleted';
  }
  const startedAt = claimed.started_at ?? claimed.created_at;
  const speech = speechIn(startedAt.getTime(), segments, claimed.uses_custom_stt);
  try {
    const summary = await summarise(extractor, { id, language: claimed.language, startedAt, segments });
    if (!(await completeFinished(sql, claimed, summary, speech))) return 'changed';
    return summary.discarded ? 'discarded' : 'completed';
  } catch (error) {
    if (isDatabaseAway(error) || claimed.processing_attempts <= retryLimit) throw error;
    const code = error instanceof CochleaError ? error.code : 'internal';
    log.error(
      { conversation: id, attempts: claimed.processing_attempts, code },
      'conversation failed for good',
    );
    await failFinished(sql, claimed, speech);
    return 'failed';
  }
};
