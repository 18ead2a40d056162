import { setMaxListeners } from 'node:events';
import pTimeout from 'p-timeout';
import { accountChannel } from '../store/accounts/index.js';
import { makeParts, type PipelineOptions, type PipelineParts } from './parts.js';
import { photoWorkers, watchDescriptions, watchPhotos } from './photos/index.js';
import { processConversation } from './summary/index.js';
import { openQueue, type Queue, runStep, runWorkers } from './turns/index.js';
import { RetainedTurns, removeAccounts, transcribeRetained, watchRecordings } from './words/index.js';
import { counted, createSweep, finishOrphans, restrained } from './work/index.js';

export interface Pipeline {
  /** Whether the queue is open. False until the database has answered for the first time. */
  ready(): boolean;
  /** Waits at most `timeout` ms for running jobs, then closes the connections. */
  close(timeout: number): Promise<void>;
}

/** Maximum ms between two attempts to open the queue. */
const longestPause = 5000;
/** Number of retained audio files that are transcribed at once. The transcription service limits its load with a separate queue. */
const retainedWorkers = 2;

/**
 * Opens the job queue when the database answers.
 * @returns undefined if the pipeline closes before the queue is open.
 */
const openJobs = async ({
  options,
  retained,
  expiry,
  news,
  signal,
}: PipelineParts): Promise<Queue | undefined> => {
  const { databaseUrl, log } = options;
  for (let pause = 100; !signal.aborted; pause = Math.min(2 * pause, longestPause)) {
    try {
      const place = retained?.place ?? '';
      return await openQueue(databaseUrl, expiry, place, (error) => log.warn({ err: error }, 'job queue'));
    } catch (error) {
      log.warn({ err: error }, 'the job queue cannot be opened yet');
      await news.wait(pause);
    }
  }
  return undefined;
};

/**
 * Minimum ms between two searches for work that events of the bus cause. Engines can send any number of such events.
 */
const eventPause = 100;

/**
 * Wakes the loops when events of the bus arrive. Also wakes them when the connection to the bus is back, because events
 * may have been lost meanwhile.
 */
const followBus = ({ options: { bus }, news, deletions }: PipelineParts): void => {
  bus?.follow(
    'conversation_finished',
    restrained(() => news.wake(), eventPause),
  );
  bus?.follow(
    'account_changed',
    restrained(() => deletions.wake(), eventPause),
  );
  bus?.onChange((connected) => {
    if (!connected) return;
    news.wake();
    deletions.wake();
  });
};

/**
 * Wakes the loops when the database sends a notification. With a bus, only two kinds of notifications come from the
 * database: notifications of operators' commands, and notifications that were sent while the bus was unreachable.
 */
const listen = async ({ options: { alsoListen }, sql, news, deletions }: PipelineParts): Promise<void> => {
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
  if (alsoListen) await sql.listen(alsoListen.channel, alsoListen.news);
};

/** Finds finished conversations, conversations whose engine is gone, and expired rows. Runs until the pipeline closes. */
const watch = async (parts: PipelineParts): Promise<void> => {
  const { sql, turns, news, signal } = parts;
  const { settings, log } = parts.options;
  const sweep = createSweep(sql);
  let listening = false;
  while (!signal.aborted) {
    try {
      if (!listening) {
        await listen(parts);
        listening = true;
      }
      await finishOrphans(sql, settings.leaseDuration / 3000, log);
      turns.conversationTurns.wake();
      turns.stepTurns.wake();
      await sweep();
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'finished conversations cannot be read');
    }
    if (!signal.aborted) await news.wait(settings.sweepInterval);
  }
};

/**
 * Removes the data of deleted accounts. Searches for such accounts at the start, at each notification, and after
 * `sweepInterval` ms. Each search also finds deletions that another process began and did not finish.
 */
const watchDeletions = async ({ options, sql, deletions, signal }: PipelineParts): Promise<void> => {
  const { settings, log } = options;
  while (!signal.aborted) {
    try {
      await removeAccounts(sql, log, () => signal.aborted);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'accounts cannot be removed yet');
    }
    if (!signal.aborted) await deletions.wait(settings.sweepInterval);
  }
};

/** Describes images and removes the files of deleted images. Does nothing if this process cannot read image files. */
const workOnPhotos = async ({ options, sql, expiry, signal }: PipelineParts): Promise<void> => {
  const { settings, log, photos: files, photoModel: model = null, metrics } = options;
  if (!files) return;
  const describing = { sql, log, files, expiry, signal, model };
  await Promise.all([
    watchPhotos({ sql, log, files }, settings.sweepInterval, signal),
    ...Array.from({ length: photoWorkers }, () => watchDescriptions(describing, metrics)),
  ]);
};

/** Returns the options that the workers of every queue share. */
const sharedByWorkers = ({ options: { log }, workers, work, signal }: PipelineParts, queue: Queue) => ({
  queue,
  workers,
  work,
  closing: () => signal.aborted,
  log,
});

/** Summarises finished conversations. */
const summarise = (parts: PipelineParts, queue: Queue): Promise<void> => {
  const { context, turns } = parts;
  const { log, metrics } = parts.options;
  const { conversationTurns } = turns;
  return runWorkers({
    ...sharedByWorkers(parts, queue),
    name: 'conversation',
    async run(job) {
      const outcome = await counted(metrics, 'summary', () => processConversation(context, job.id));
      log.info({ conversation: job.id, outcome }, 'conversation processed');
      if (outcome === 'changed') await conversationTurns.postpone(job, 0);
    },
    again: (job) => conversationTurns.again(job),
    taken: () => conversationTurns.wake(),
    begun: (job) => conversationTurns.begun(job),
    ended: (job) => conversationTurns.ended(job),
  });
};

/** Runs the steps that follow a summary. */
const doSteps = (parts: PipelineParts, queue: Queue): Promise<void> => {
  const { context, turns } = parts;
  const { log, metrics } = parts.options;
  const { stepTurns } = turns;
  return runWorkers({
    ...sharedByWorkers(parts, queue),
    name: 'step',
    async run(job) {
      const outcome = await counted(metrics, job.step, () => runStep(context, job));
      log.debug({ step: job.step, outcome }, 'step ended');
    },
    again: (job) => stepTurns.again(job),
    taken: () => stepTurns.wake(),
    begun: (job) => stepTurns.begun(job),
    ended: (job) => stepTurns.ended(job),
  });
};

/** Transcribes retained audio, if this process can read it. */
const transcribe = async (parts: PipelineParts, queue: Queue): Promise<void> => {
  const { retained, work } = parts;
  const { settings, metrics } = parts.options;
  if (retained === null) return;
  const turns = new RetainedTurns(retained);
  await Promise.all([
    turns.watch(queue, settings.sweepInterval, () => work.wake()),
    runWorkers({
      ...sharedByWorkers(parts, queue),
      name: 'retained',
      workers: retainedWorkers,
      async run(job) {
        turns.begun(job);
        await counted(metrics, 'retained', () => transcribeRetained(retained, job));
      },
    }),
  ]);
};

/** Runs all loops until the pipeline closes. */
const runAll = async (parts: PipelineParts, queue: Queue): Promise<void> => {
  const { options, sql, turns, work, signal } = parts;
  const { settings, log, recordings, metrics } = options;
  await Promise.all([
    watch(parts),
    turns.conversationTurns.watch(queue, settings.sweepInterval, () => work.wake()),
    turns.stepTurns.watch(queue, settings.sweepInterval, () => work.wake()),
    watchDeletions(parts),
    workOnPhotos(parts),
    recordings && watchRecordings({ ...recordings, sql, log, signal }, settings, metrics),
    summarise(parts, queue),
    doSteps(parts, queue),
    transcribe(parts, queue),
  ]);
};

/**
 * Starts the jobs that summarise finished conversations and run the following steps. Also starts the sweep that finishes orphaned
 * conversations, and the removal of deleted accounts. Returns immediately. Opens the queue in the background, because the database may be
 * unreachable at any time.
 *
 * Notifications start the work. Because a notification can be lost, the pipeline also looks for work every `settings.sweepInterval` ms.
 */
export const startPipeline = (options: PipelineOptions): Pipeline => {
  const ending = new AbortController();
  // Every model request adds a listener, so the warning about many listeners is turned off.
  setMaxListeners(0, ending.signal);
  const parts = makeParts(options, ending.signal);
  const { sql, news, work, deletions } = parts;
  followBus(parts);
  let queue: Queue | undefined;

  const running = (async () => {
    queue = await openJobs(parts);
    if (queue) await runAll(parts, queue);
  })();

  return {
    ready: () => queue !== undefined,
    async close(timeout) {
      ending.abort();
      news.wake();
      work.wake();
      deletions.wake();
      // p-timeout rejects a timeout of 0, so at least 1 is used.
      await pTimeout(running, { milliseconds: timeout || 1, message: false });
      await queue?.close();
      await sql.end({ timeout: 1 });
    },
  };
};
