import { join } from 'node:path';
import { removeRejectedOf } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import { confirmDeletions, seePlace, uidHash, unconfirmedDeletions } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';

/** Ms after which an engine records again in the database that its data folder is in use. */
const day = 86_400_000;

export interface ErasureOptions {
  readonly sql: Sql;
  /** Id of the engine. The database identifies the engine's data folder by this id. */
  readonly engineId: string;
  /** The data folder of the engine. */
  readonly dataDir: string;
  /** Removes the retained audio of users, given by the SHA-256 of their ids. From then on no audio of these users is stored. */
  readonly eraseAudio: (userHashes: readonly string[]) => Promise<void>;
  /** Number of ms between two searches for deletions. */
  readonly interval: number;
  readonly log: Logger;
}

export interface Erasure {
  /** Searches for deletions now. Resolves after the search; never rejects. */
  look(): Promise<void>;
  stop(): void;
}

/**
 * Removes data of deleted accounts from an engine's disk: retained audio, and journal entries that the database
 * refused. Data in spill files is removed when the files are replayed.
 *
 * The engine confirms each deletion in the database, with one row for its data folder. If the engine missed a
 * notification, its next search finds the deletion.
 */
export const startErasure = (options: ErasureOptions): Erasure => {
  const { sql, engineId, dataDir, eraseAudio, interval, log } = options;
  let searching: Promise<void> | undefined;
  let again = false;
  let seenAt = Number.NEGATIVE_INFINITY;

  const search = async (): Promise<void> => {
    const { hashes, newest } = await unconfirmedDeletions(sql, engineId);
    if (performance.now() - seenAt >= day) {
      await seePlace(sql, engineId);
      seenAt = performance.now();
    }
    if (hashes.length === 0) return;
    const deleted = new Set(hashes);
    await eraseAudio(hashes);
    removeRejectedOf(join(dataDir, 'spill'), (uid) => deleted.has(uidHash(uid)));
    await confirmDeletions(sql, engineId, newest);
    log.info({ accounts: hashes.length }, 'this disk contains no data of these deleted accounts');
  };

  const look = (): Promise<void> => {
    again = true;
    searching ??= (async () => {
      while (again) {
        again = false;
        await search().catch((error: unknown) =>
          log.warn({ err: error }, 'data of deleted accounts cannot be removed yet'),
        );
      }
    })().finally(() => {
      searching = undefined;
    });
    return searching;
  };

  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
};
