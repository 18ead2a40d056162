import { standbyWaitCancelled } from './failure.js';
import { StatementError } from './statement-error.js';

/**
 * Finds commits that no synchronous standby has confirmed.
 *
 * A server with a synchronous standby answers a commit only when the standby has the commit. If an administrator
 * cancels the wait for the standby, the server answers that the commit succeeded, and sends a warning. The commit then
 * exists only on the primary, so it must count as failed. Repeating the work does no harm.
 *
 * postgres.js does not report which statement a warning belongs to. The server sends the warning before it ends the
 * statement. So every statement of the pool that is running when a warning arrives counts as failed, even if the
 * standby has confirmed it. Such warnings are rare.
 */
export class CancelledWaits {
  #count = 0;

  /** Number of warnings of this pool so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Counts a notice of the server if it warns of a cancelled wait. The name of the server function that warns
   * identifies the warning, because this name is never translated.
   */
  readonly notice = (notice: { readonly routine?: string }): void => {
    if (notice.routine === 'SyncRepWaitForLSN') this.#count++;
  };

  /** Returns the error of a statement that was running when a warning arrived. */
  failure(): StatementError {
    return new StatementError(
      standbyWaitCancelled,
      'the database committed, but the wait for its synchronous standby was cancelled',
      undefined,
      new Error().stack,
    );
  }
}
