import { join } from 'node:path';
import { removeRejectedOf } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import { confirmDeletions, uidHash, unconfirmedDeletions } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';

export interface ErasureOptions {
  readonly sql: Sql;
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
 * The engine confirms each deletion in the database. If it missed a notification because it did not run or had no
 * connection, a later search finds the deletion.
 */
export const startErasure = (options: ErasureOptions): Erasure => {
  const { sql, engineId, dataDir, eraseAudio, interval, log } = options;
  let searching: Promise<void> | undefined;
  let again = false;

  const search = async (): Promise<void> => {
    const hashes = await unconfirmedDeletions(sql, engineId);
    if (hashes.length === 0) return;
    const deleted = new Set(hashes);
    await eraseAudio(hashes);
    removeRejectedOf(join(dataDir, 'spill'), (uid) => deleted.has(uidHash(uid)));
    await confirmDeletions(sql, engineId, hashes);
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
