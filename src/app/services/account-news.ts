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
  /** Closes the sockets of a user, or of all users, whose account has ended. */
  checkAccounts(uid?: string): Promise<void>;
  readonly log: Logger;
}

/**
 * Follows the changes of accounts for an engine: what is known of a user is read again, sockets are checked, audio of deleted accounts
 * is erased. The same connection brings the completions of conversations.
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
  // Notifications are lost with their connection, so that everything is looked at when there is one again.
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
