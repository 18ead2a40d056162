import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/database.js';
import {
  type PendingText,
  pendingTexts,
  pendingTextsOf,
  type SearchedKind,
  storeVectors,
} from '../../store/search.js';
import { within } from '../../wire/within.js';
import type { Embedder } from './embedder.js';

/** Texts that are embedded and stored together in the background; a search waits until such a batch is done. */
const batch = 8;
/** Newest texts of a user that a search has embedded before it ranks. */
const searchBatch = 32;
/** Ms between two looks for texts without a vector, when there were none or no model. */
const pause = 2000;
/** Ms that a search waits for vectors of records that were stored just before; the first one also waits for the model to load. */
const searchTimeout = 3000;

/** Computes the vectors that are missing: of one user's newest records for a search, of all others in the background. */
export interface Backfill {
  /**
   * Computes the vectors of a user's newest records. What takes too long is finished later.
   * @returns whether none are missing now.
   */
  complete(uid: string, kind: SearchedKind): Promise<boolean>;
  /** Ends the work in the background; resolves when nothing of it is under way. Idempotent. */
  close(): Promise<void>;
}

/** Several sidecars of a database may compute the same vector; the first one is stored. */
export const startBackfill = (sql: Sql, embedder: Embedder, log: Logger): Backfill => {
  let closing = false;
  let wake = (): void => undefined;

  const compute = async (texts: readonly PendingText[]): Promise<boolean> => {
    const vectors = await embedder.embed(texts.map(({ text }) => text));
    if (vectors === undefined) return false;
    await storeVectors(sql, texts, vectors);
    return true;
  };

  const round = async (): Promise<boolean> => {
    // What a search waits for comes first.
    if (embedder.waiting() > 0) return false;
    const texts = await pendingTexts(sql, batch);
    return texts.length > 0 && (await compute(texts));
  };

  const work = async (): Promise<void> => {
    while (!closing) {
      const went = await round().catch((error: unknown) => {
        if (!closing) log.warn({ err: error }, 'vectors cannot be stored');
        return false;
      });
      if (went || closing) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const working = work();

  return {
    async complete(uid, kind) {
      const texts = await pendingTextsOf(sql, uid, kind, searchBatch);
      if (texts.length === 0) return true;
      const computing = compute(texts).catch((error: unknown) => {
        log.warn({ err: error }, 'vectors cannot be stored');
        return false;
      });
      const stored = await within(computing, searchTimeout, () => false);
      return stored && texts.length < searchBatch;
    },
    close: () => {
      closing = true;
      wake();
      return working;
    },
  };
};
