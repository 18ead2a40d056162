import type { Bus } from '../../bus/subjects/index.js';
import type { Settings } from '../../config/index.js';
import type { TokenVerifier } from '../../identity/index.js';
import { startCompletionFeed, startEventFeed } from '../../journal/feeds/index.js';
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
  /** The bus, which carries most account news instead of the database; null if there is no bus. */
  readonly bus: Bus | null;
  readonly store: RetainedStore;
  /** Closes the sockets of a user, or of all users, if the account has ended. */
  checkAccounts(uid?: string): Promise<void>;
  readonly log: Logger;
}

/**
 * Applies account changes to an engine: reads the user again, checks the user's sockets, erases audio of deleted
 * accounts. Also reports completed conversations.
 *
 * The engine gets this news over one database connection, and over the bus if there is one. With a bus, the database
 * carries only news of operators' commands, and news sent while the bus is unreachable.
 */
export const followAccounts = (options: AccountNewsOptions): { close(): Promise<void> } => {
  const { settings, engineId, sql, verifier, store, bus, log } = options;
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
  // Notifications are lost while the connection is lost, so all accounts are checked after a reconnect.
  const completions = startCompletionFeed(settings.databaseUrl, engineId, [
    { channel: accountChannel, news: accountChanged, listening: () => accountChanged() },
  ]);
  const events = bus && startEventFeed(engineId, bus);
  bus?.follow('account_changed', accountChanged);
  bus?.onChange((connected) => connected && accountChanged());
  return {
    close: () => {
      erasure.stop();
      events?.close();
      return completions.close();
    },
  };
};
