import { CochleaError } from '../errors/index.js';
import type { TokenVerifier } from '../identity/index.js';
import type { Logger } from '../log/index.js';

/** Number of users that one statement looks up. */
const batch = 500;

/** An open socket, which is closed when the user's account or token ends. */
export interface WatchedSocket {
  readonly caller: { readonly uid: string } | null;
  /** Time in ms at which the caller's token was issued. */
  readonly issuedAt: number;
  refuse(error: CochleaError): void;
}

export interface AccountWatchOptions {
  /** Sets of open sockets, one set for each kind of socket. */
  readonly sockets: readonly ReadonlySet<WatchedSocket>[];
  readonly verifier: Pick<TokenVerifier, 'floors'>;
  /** Ms between two checks of all users. */
  readonly interval: number;
  readonly log: Logger;
}

export interface AccountWatch {
  /** Looks up the given user at once, or all users with open sockets if `uid` is absent. Resolves when done; never rejects. */
  look(uid?: string): Promise<void>;
  stop(): void;
}

/**
 * Looks up the users of all open sockets periodically. Closes sockets with 4004 if the user's account is deleted, or if
 * its deletion has begun. Also closes sockets whose user has signed out everywhere after the token was issued. Runs one
 * statement at a time and one check at a time. Closes no socket while the database does not answer.
 */
export const startAccountWatch = ({
  sockets: kinds,
  verifier,
  interval,
  log,
}: AccountWatchOptions): AccountWatch => {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const open = (): WatchedSocket[] => kinds.flatMap((sockets) => [...sockets]);

  const check = async (uids: readonly string[]): Promise<void> => {
    for (let first = 0; first < uids.length && !stopped; first += batch) {
      const floors = await verifier.floors(uids.slice(first, first + batch));
      if (stopped) return;
      const gone = new CochleaError('account_gone');
      const ended = open().filter(({ caller, issuedAt }) => issuedAt < (floors.get(caller?.uid ?? '') ?? 0));
      for (const socket of ended) socket.refuse(gone);
      const sockets = ended.length;
      if (sockets > 0) log.info({ sockets }, 'closed sockets of ended accounts or tokens');
    }
  };

  const look = async (uid?: string): Promise<void> => {
    const uids = new Set<string>();
    for (const { caller } of open()) {
      if (caller !== null && (uid === undefined || caller.uid === uid)) uids.add(caller.uid);
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
