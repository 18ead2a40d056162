import { CochleaError } from '../errors/index.js';
import type { TokenVerifier } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import type { StreamServer } from './stream-server.js';

/** Users asked about in one statement. */
const batch = 500;

export interface AccountWatchOptions {
  readonly streams: Pick<StreamServer, 'connections' | 'closeUsers'>;
  readonly verifier: Pick<TokenVerifier, 'goneUsers'>;
  /** Ms between two rounds. */
  readonly interval: number;
  readonly log: Logger;
}

/**
 * Looks up the users of all open sockets again and again, and closes 4004 those whose account is gone. One statement at a
 * time, one round at a time; while the database does not answer, no socket is closed. What else may end a token before its
 * time (a list of revoked ones) belongs into `TokenVerifier.goneUsers`.
 * @returns a function that stops it.
 */
export const startAccountWatch = ({
  streams,
  verifier,
  interval,
  log,
}: AccountWatchOptions): (() => void) => {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<void> => {
    const uids = new Set<string>();
    for (const { caller } of streams.connections) if (caller !== null) uids.add(caller.uid);
    const all = [...uids];
    for (let first = 0; first < all.length && !stopped; first += batch) {
      const gone = await verifier.goneUsers(all.slice(first, first + batch));
      if (gone.size === 0 || stopped) continue;
      log.info({ users: gone.size }, 'accounts of open sockets are gone');
      streams.closeUsers(gone, new CochleaError('account_gone'));
    }
  };

  const arm = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      round()
        .catch((error: unknown) => log.warn({ err: error }, 'accounts could not be looked up'))
        .finally(arm);
    }, interval);
  };
  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
};
