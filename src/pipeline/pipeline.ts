import pTimeout from 'p-timeout';
import { connectionPlan } from '../config/connections.js';
import type { Settings } from '../config/index.js';
import { errorFields } from '../errors/error-fields.js';
import type { Logger } from '../log/index.js';
import { extractiveExtractor, type StructureExtractor } from '../service/index.js';
import { accountChannel } from '../store/account-deletions.js';
import { sweepRevokedKeys } from '../store/api-keys.js';
import { connectDatabase } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import { sweepIdempotencyKeys } from '../store/idempotency.js';
import { sweepIssuerRecords } from '../store/issuer-records.js';
import { removeEndedWindows } from '../store/rate-windows.js';
import { sweepOrphans, waitingConversations } from '../store/sweep.js';
import { processConversation } from './process.js';
import { attemptExpiry, type ConversationJob, openQueue, type Queue } from './queue.js';
import { removeAccounts } from './removal.js';
import { Signal } from './signal.js';

export interface PipelineOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Makes summaries; the built-in rules when absent. */
  readonly extractor?: StructureExtractor;
}

export interface Pipeline {
  /** Whether the queue is open; false until the database has answered once. */
  ready(): boolean;
  /** Waits at most `timeout` ms for running jobs, then closes the connections. */
  close(timeout: number): Promise<void>;
}

const workers = 2;
const idlePause = 2000;
const longestPause = 5000;

/**
 * Starts the jobs that summarise finished conversations, the sweep that finishes orphaned ones, and the removal of deleted accounts. Returns at once and opens
 * the queue in the background, because the database may be away at the start and at any later time.
 *
 * Notifications start its work. Because one can be lost, it also looks for work every `settings.sweepInterval` ms.
 */
export const startPipeline = (options: PipelineOptions): Pipeline => {
  const { settings, log, extractor = extractiveExtractor } = options;
  const sql = connectDatabase(options.databaseUrl, {
    max: connectionPlan(settings).pipeline,
    name: 'pipeline',
  });
  const news = new Signal();
  const work = new Signal();
  const deletions = new Signal();
  let closing = false;
  let queue: Queue | undefined;

  const open = async (): Promise<Queue | undefined> => {
    for (let pause = 100; !closing; pause = Math.min(2 * pause, longestPause)) {
      try {
        return await openQueue(options.databaseUrl, (error) => log.warn({ err: error }, 'job queue'));
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be opened yet');
        await news.wait(pause);
      }
    }
    return undefined;
  };

  const look = async (jobs: Queue): Promise<void> => {
    const swept = await sweepOrphans(sql, settings.leaseDuration / 3000);
    if (swept.finished.length + swept.deleted.length > 0) {
      log.info(
        { finished: swept.finished.length, deleted: swept.deleted.length },
        'orphaned conversations swept',
      );
    }
    await sweepIdempotencyKeys(sql);
    await sweepIssuerRecords(sql);
    await removeEndedWindows(sql);
    await sweepRevokedKeys(sql);
    const waiting = await waitingConversations(sql, attemptExpiry);
    for (const { id, revision } of waiting) await jobs.send({ id, revision });
    if (waiting.length > 0) work.wake();
  };

  const watch = async (jobs: Queue): Promise<void> => {
    let listening = false;
    while (!closing) {
      try {
        if (!listening) {
          await sql.listen(
            'conversation_finished',
            () => news.wake(),
            () => news.wake(),
          );
          await sql.listen(
            accountChannel,
            () => deletions.wake(),
            () => deletions.wake(),
          );
          listening = true;
        }
        await look(jobs);
      } catch (error) {
        if (!closing) log.warn({ err: error }, 'finished conversations cannot be read');
      }
      if (!closing) await news.wait(settings.sweepInterval);
    }
  };

  /** Runs one job and repeats storing its result until the database has accepted it, however long that takes. */
  const attempt = async (jobs: Queue, jobId: string, job: ConversationJob): Promise<void> => {
    for (let pause = 100; !closing; pause = Math.min(2 * pause, longestPause)) {
      try {
        const outcome = await processConversation(sql, extractor, job.id, log);
        await jobs.complete(jobId);
        log.info({ conversation: job.id, outcome }, 'conversation processed');
        if (outcome === 'changed') {
          await jobs.send({ id: job.id, revision: job.revision + 1 });
          work.wake();
        }
        return;
      } catch (error) {
        if (!isDatabaseAway(error)) {
          log.warn({ conversation: job.id, err: error }, 'conversation not processed, will retry');
          await jobs.fail(jobId, errorFields(error).type);
          return;
        }
        await work.wait(pause);
      }
    }
  };

  const labour = async (jobs: Queue): Promise<void> => {
    while (!closing) {
      try {
        const taken = await jobs.take();
        if (taken) await attempt(jobs, taken.jobId, taken.job);
        else if (!closing) await work.wait(idlePause);
      } catch (error) {
        if (!closing) {
          log.warn({ err: error }, 'job queue');
          await work.wait(idlePause);
        }
      }
    }
  };

  /** Accounts whose deletion was under way when a process ended are found by the first search. */
  const remove = async (): Promise<void> => {
    while (!closing) {
      try {
        await removeAccounts(sql, log, () => closing);
      } catch (error) {
        if (!closing) log.warn({ err: error }, 'accounts cannot be removed yet');
      }
      if (!closing) await deletions.wait(settings.sweepInterval);
    }
  };

  const running = (async () => {
    queue = await open();
    if (!queue) return;
    const jobs = queue;
    await Promise.all([watch(jobs), remove(), ...Array.from({ length: workers }, () => labour(jobs))]);
  })();

  return {
    ready: () => queue !== undefined,
    async close(timeout) {
      closing = true;
      news.wake();
      work.wake();
      deletions.wake();
      // p-timeout takes no 0.
      await pTimeout(running, { milliseconds: timeout || 1, message: false });
      await queue?.close();
      await sql.end({ timeout: 1 });
    },
  };
};
