import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '../../bus/subjects/index.js';
import { endsWithin } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { type CopyCounts, CopyReplay } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import { MetricsTable } from '../../metrics/index.js';
import { connectDatabase, isDatabaseAway } from '../../store/client/index.js';

/** Ms between two searches of the bus for copies of spilled entries. */
const lookInterval = 5000;

/** Maximum ms that `close` waits until the current search ends. A request to the bus may take 5 s. */
const closeWait = 1000;

/** The work of this process that writes copies of spilled entries to the database. */
export interface CopyWork {
  readonly counts: CopyCounts;
  close(): Promise<void>;
}

/**
 * Begins to search the bus for copies of spilled entries. When an engine has ended, its copies are written to the
 * database.
 * @returns null without a bus or `SPILL_KEY`.
 */
export const openCopyWork = (settings: Settings, bus: Bus | null, log: Logger): CopyWork | null => {
  const source = bus?.storedCopies;
  if (!bus || !source) return null;
  const sql = connectDatabase(settings.databaseUrl, {
    max: 1,
    timeoutMs: settings.databaseTimeout,
    statementTimeoutMs: settings.databaseTimeout,
    name: 'spill copies',
    announcer: bus,
  });
  const replay = new CopyReplay({
    sql,
    source,
    secret: settings.spillKey,
    spillDir: join(settings.dataDir, 'spill'),
    log,
    metrics: new MetricsTable(1).row(0),
  });
  const closing = new AbortController();
  const { signal } = closing;
  const running = (async () => {
    while (!signal.aborted) {
      const isUrgent = await replay.look(signal).catch((error: unknown) => {
        const level = isDatabaseAway(error) || !bus.connected || signal.aborted ? 'debug' : 'warn';
        log[level]({ err: error }, 'copies of spilled entries cannot be read yet');
        return false;
      });
      if (isUrgent) continue;
      await pause(lookInterval, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    counts: replay.counts,
    close: async () => {
      closing.abort();
      await sql.end({ timeout: 1 });
      await endsWithin(running, closeWait);
    },
  };
};
