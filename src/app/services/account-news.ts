import type { Settings } from '../../config/index.js';
import type { TokenVerifier } from '../../identity/index.js';
import { startCompletionFeed } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import { accountChannel } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { ownersOf, type RetainedStore } from '../../stt/retained/index.js';
import { startErasure } from './erase-deleted.js';

export interface AccountNewsOptions {
  readonly settings: Settings;
  readonly engineId: string;
  readonly sql: Sql;
  readonly verifier: TokenVerifier;
  readonly store: RetainedStore;
  /** Closes the sockets of a user, or of all users, if the account has ended. */
  checkAccounts(uid?: string): Promise<void>;
  readonly log: Logger;
}

/**
 * Applies account changes to an engine: reads the user again, checks the user's sockets, erases audio of deleted
 * accounts. The same database connection also reports completed conversations.
 */
export const followAccounts = (options: AccountNewsOptions): { close(): Promise<void> } => {
  const { settings, engineId, sql, verifier, store, log } = options;
  const erasure = startErasure({
    sql,
    engineId,
    dataDir: settings.dataDir,
    eraseAudio: (userHashes) => store.erase(ownersOf(userHashes)),
    interval: settings.accountCheckInterval,
    log,
  });
  const accountChanged = (uid?: string): void => {
    verifier.forget(uid);
    void options.checkAccounts(uid);
    void erasure.look();
  };
  // A lost connection loses notifications, so all accounts are checked after a reconnect.
  const completions = startCompletionFeed(settings.databaseUrl, engineId, [
    { channel: accountChannel, news: accountChanged, listening: () => accountChanged() },
  ]);
  return {
    close: () => {
      erasure.stop();
      return completions.close();
    },
  };
};
