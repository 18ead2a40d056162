import { CochleaError } from '../errors/index.js';
import type { TokenVerifier } from '../identity/index.js';
import type { Logger } from '../log/index.js';

/** Users asked about in one statement. */
const batch = 500;

/** Open sockets, and what closes those whose account or token has ended. */
export interface WatchedSockets {
  readonly connections: Iterable<{ readonly caller: { readonly uid: string } | null }>;
  closeEnded(floors: ReadonlyMap<string, number>, error: CochleaError): number;
}

export interface AccountWatchOptions {
  /** Open sockets of each kind. */
  readonly sockets: readonly WatchedSockets[];
  readonly verifier: Pick<TokenVerifier, 'floors'>;
  /** Ms between two rounds. */
  readonly interval: number;
  readonly log: Logger;
}

export interface AccountWatch {
  /** Looks up one user at once, or all where none is named. Resolves when it is done; never rejects. */
  look(uid?: string): Promise<void>;
  stop(): void;
}

/**
 * Looks up the users of all open sockets again and again, and closes 4004 those whose account is gone or being deleted, and those
 * whose token was made before its user signed out everywhere. One statement at a time, one round at a time; while the database
 * does not answer, no socket is closed.
 */
export const startAccountWatch = ({
  sockets: kinds,
  verifier,
  interval,
  log,
}: AccountWatchOptions): AccountWatch => {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const check = async (uids: readonly string[]): Promise<void> => {
    for (let first = 0; first < uids.length && !stopped; first += batch) {
      const floors = await verifier.floors(uids.slice(first, first + batch));
      if (stopped) return;
      const gone = new CochleaError('account_gone');
      const sockets = kinds.reduce((sum, kind) => sum + kind.closeEnded(floors, gone), 0);
      if (sockets > 0) log.info({ sockets }, 'sockets closed whose account or token has ended');
    }
  };

  const look = async (uid?: string): Promise<void> => {
    const uids = new Set<string>();
    for (const { connections } of kinds) {
      for (const { caller } of connections) {
        if (caller !== null && (uid === undefined || caller.uid === uid)) uids.add(caller.uid);
      }
    }
    await check([...uids]).catch((error: unknown) =>
      log.warn({ err: error }, 'accounts could not be looked up'),
    );
  };

  const arm = (): void => {
    if (!stopped) timer = setTimeout(() => void look().finally(arm), interval);
  };
  arm();
  return {
    look,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
