import { within } from '../../common/index.js';
import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/client/index.js';
import {
  type PendingText,
  pendingTexts,
  pendingTextsOf,
  type SearchedKind,
  storeVectors,
} from '../../store/search/index.js';
import { type Round, startRounds } from './background.js';
import type { Embedder } from './embedder.js';

/**
 * Number of texts that the background work embeds and stores together. A search may have to wait until one such batch
 * is done.
 */
const batch = 8;
/** Number of a user's newest texts that a search embeds before it ranks. */
const searchBatch = 32;
/** Ms that a search waits for vectors of new records. The first search also waits for the model to load. */
const searchTimeout = 3000;
const failure = 'vectors cannot be stored';

/** The user id of background work in the model's queue. It is empty, unlike every id of a user. */
const background = '';

/**
 * Computes missing vectors of records. A search waits for the vectors of its user's newest records. All other vectors
 * are computed in the background.
 */
export interface Backfill {
  /**
   * Computes the vectors of a user's newest records. If this takes too long, it continues in the background.
   * @returns true if every record of this user and kind has its vector now.
   */
  complete(uid: string, kind: SearchedKind): Promise<boolean>;
  /** Ends the background work. Resolves when no work is running. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the background work. Several sidecars of a database may compute the same vector. Only the first vector is
 * stored.
 */
export const startBackfill = (sql: Sql, embedder: Embedder, log: Logger): Backfill => {
  /** Texts whose vectors are being computed or stored, by key. */
  const underWay = new Map<string, Promise<boolean>>();
  const keyOf = ({ uid, kind, id, change }: PendingText): string => `${kind} ${id} ${change} ${uid}`;

  const computeNew = async (texts: readonly PendingText[], uid: string): Promise<boolean> => {
    const vectors = await embedder.embed(
      texts.map(({ text }) => text),
      uid,
    );
    if (vectors === undefined) return false;
    await storeVectors(sql, texts, vectors);
    return true;
  };

  /** Computes the vectors of texts. Searches and the background work share the vectors of a text that they both need. */
  const compute = async (texts: readonly PendingText[], uid: string): Promise<boolean> => {
    const shared = texts.flatMap((text) => underWay.get(keyOf(text)) ?? []);
    const fresh = texts.filter((text) => !underWay.has(keyOf(text)));
    const computing = fresh.length === 0 ? Promise.resolve(true) : computeNew(fresh, uid);
    for (const text of fresh) underWay.set(keyOf(text), computing);
    try {
      const stored = await Promise.all([computing, ...new Set(shared)]);
      return stored.every(Boolean);
    } finally {
      for (const text of fresh) underWay.delete(keyOf(text));
    }
  };

  const round = async (): Promise<Round> => {
    // Texts that a search waits for have priority.
    if (embedder.waiting() > 0) return 'idle';
    const texts = await pendingTexts(sql, batch);
    return texts.length > 0 && (await compute(texts, background)) ? 'worked' : 'idle';
  };

  return {
    async complete(uid, kind) {
      const texts = await pendingTextsOf(sql, uid, kind, searchBatch);
      if (texts.length === 0) return true;
      const computing = compute(texts, uid).catch((error: unknown) => {
        log.warn({ err: error }, failure);
        return false;
      });
      const stored = await within(computing, searchTimeout, () => false);
      return stored && texts.length < searchBatch;
    },
    close: startRounds(round, failure, log),
  };
};
