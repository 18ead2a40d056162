import { setMaxListeners } from 'node:events';
import pTimeout from 'p-timeout';
import { connectionPlan, type Settings } from '../config/index.js';
import type { LanguageModel } from '../llm/index.js';
import type { Logger } from '../log/index.js';
import type { PhotoFiles } from '../photos/index.js';
import type { MeaningSearch } from '../service/records/index.js';
import type { StructureExtractor } from '../service/structure/language/index.js';
import { rulesHere, type TextRules } from '../service/text/index.js';
import {
  accountChannel,
  removeEndedWindows,
  sweepIssuerRecords,
  sweepRevokedKeys,
} from '../store/accounts/index.js';
import { connectDatabase } from '../store/client/index.js';
import { sweepRecordings } from '../store/conversations/index.js';
import { sweepModelTokens, sweepOrphans, sweepSteps } from '../store/jobs/index.js';
import { sweepIdempotencyKeys } from '../store/records/index.js';
import {
  describeNextPhoto,
  type PhotoContext,
  photoWorkers,
  removeAbandonedPhotos,
  removePhotoFiles,
} from './photos/index.js';
import { processConversation } from './summary/index.js';
import { createTableTurns, labour, openQueue, type Queue, runStep } from './turns/index.js';
import {
  type RecordingContext,
  type RecordingWork,
  type RetainedContext,
  RetainedTurns,
  type RetainedWork,
  removeAccounts,
  transcribeRetained,
  watchRecordings,
} from './words/index.js';
import { attemptExpiry, counted, Signal, type StepContext, type StepMetrics } from './work/index.js';

export interface PipelineOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** The built-in rules, which do what no model does; those of this thread when absent. */
  readonly rules?: TextRules;
  /** Makes summaries where there is no model, or where it fails; `rules` when absent. */
  readonly extractor?: StructureExtractor;
  /** null or absent: the built-in implementation does every step. */
  readonly model?: LanguageModel | null;
  /** Describes images, apart from `model`, so that neither waits for the other or counts its failures; null or absent: none does. */
  readonly photoModel?: LanguageModel | null;
  /** Compares memories by meaning; absent: by words. */
  readonly search?: MeaningSearch;
  readonly metrics?: StepMetrics;
  /** Transcribes retained audio; absent or null where nothing here can. */
  readonly retained?: RetainedWork | null;
  /** Transcribes uploaded recordings; absent or null where nothing here can. */
  readonly recordings?: RecordingWork | null;
  /** The files of images; absent or null where none can be read. */
  readonly photos?: PhotoFiles | null;
  /** Notifications that another part needs, over the connection that listens here. */
  readonly alsoListen?: { readonly channel: string; readonly news: (payload: string) => void };
}

export interface Pipeline {
  /** Whether the queue is open; false until the database has answered once. */
  ready(): boolean;
  /** Waits at most `timeout` ms for running jobs, then closes the connections. */
  close(timeout: number): Promise<void>;
}

/** Jobs of a queue at once without a model. They wait for the database and for the threads for texts; so do those of users with long ones. */
const leastWorkers = 4;
/** Jobs of a queue for each question that a model is asked at once: some wait for their user's turn. */
const workersPerQuestion = 2;
/** Ms of an ordinary job without a model. */
const ordinaryJob = 250;
/** Part of the time limit of a question that an ordinary job may take. */
const ordinaryShare = 4;
const longestPause = 5000;
/** Retained audio that is transcribed at once; the transcription service has its own queue. */
const retainedWorkers = 2;
/** Ms between two removals of what is not needed any more. */
const sweepPause = 60_000;
/** Ms between two looks for an image that is not described. */
const photoPause = 1000;
/** Ms between two searches for files of images that no conversation has. */
const abandonedPause = 3_600_000;

/**
 * Starts the jobs that summarise finished conversations and do the steps that follow, the sweep that finishes orphaned ones, and the
 * removal of deleted accounts. Returns at once and opens the queue in the background, because the database may be away at the start
 * and at any later time.
 *
 * Notifications start its work. Because one can be lost, it also looks for work every `settings.sweepInterval` ms.
 */
export const startPipeline = (options: PipelineOptions): Pipeline => {
  const { settings, log, rules = rulesHere, extractor = rules, model = null, search = null } = options;
  const { alsoListen } = options;
  const sql = connectDatabase(options.databaseUrl, {
    max: connectionPlan(settings).pipeline,
    name: 'pipeline',
  });
  const news = new Signal();
  const work = new Signal();
  const deletions = new Signal();
  const ending = new AbortController();
  // Every question to the model listens to it.
  setMaxListeners(0, ending.signal);
  const context: StepContext = { sql, settings, log, extractor, rules, model, search, signal: ending.signal };
  const expiry = attemptExpiry(settings);
  const retained: RetainedContext | null = options.retained
    ? { ...options.retained, sql, log, signal: ending.signal }
    : null;
  const retainedTurns = retained && new RetainedTurns(retained);
  const recordings: RecordingContext | null = options.recordings
    ? { ...options.recordings, sql, log, signal: ending.signal }
    : null;
  const photos: PhotoContext | null = options.photos ? { sql, log, files: options.photos } : null;
  const workers =
    model === null ? leastWorkers : Math.max(leastWorkers, workersPerQuestion * settings.llmConcurrency);
  const { conversationTurns, stepTurns } = createTableTurns(sql, expiry, {
    most: workers,
    ordinary: model === null ? ordinaryJob : Math.max(ordinaryJob, settings.llmTimeout / ordinaryShare),
    log,
    signal: ending.signal,
  });
  let closing = false;
  let queue: Queue | undefined;

  const open = async (): Promise<Queue | undefined> => {
    for (let pause = 100; !closing; pause = Math.min(2 * pause, longestPause)) {
      try {
        const place = retained?.place ?? '';
        return await openQueue(options.databaseUrl, expiry, place, (error) =>
          log.warn({ err: error }, 'job queue'),
        );
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be opened yet');
        await news.wait(pause);
      }
    }
    return undefined;
  };

  const finishOrphans = async (): Promise<void> => {
    const swept = await sweepOrphans(sql, settings.leaseDuration / 3000);
    if (swept.finished.length + swept.deleted.length > 0) {
      log.info(
        { finished: swept.finished.length, deleted: swept.deleted.length },
        'orphaned conversations swept',
      );
    }
  };

  const sweep = async (): Promise<void> => {
    await sweepIdempotencyKeys(sql);
    await sweepIssuerRecords(sql);
    await removeEndedWindows(sql);
    await sweepRevokedKeys(sql);
    await sweepModelTokens(sql);
    await sweepSteps(sql);
    await sweepRecordings(sql);
  };

  let sweptAt = Number.NEGATIVE_INFINITY;

  const look = async (): Promise<void> => {
    await finishOrphans();
    conversationTurns.wake();
    stepTurns.wake();
    if (performance.now() - sweptAt < sweepPause) return;
    sweptAt = performance.now();
    await sweep();
  };

  const watch = async (): Promise<void> => {
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
          if (alsoListen) await sql.listen(alsoListen.channel, alsoListen.news);
          listening = true;
        }
        await look();
      } catch (error) {
        if (!closing) log.warn({ err: error }, 'finished conversations cannot be read');
      }
      if (!closing) await news.wait(settings.sweepInterval);
    }
  };

  /** Removes files of deleted images. */
  const watchPhotos = async (context: PhotoContext): Promise<void> => {
    const pause = new Signal();
    ending.signal.addEventListener('abort', () => pause.wake());
    let searchedAt = Number.NEGATIVE_INFINITY;
    while (!closing) {
      try {
        await removePhotoFiles(context);
        if (performance.now() - searchedAt > abandonedPause) {
          searchedAt = performance.now();
          await removeAbandonedPhotos(context, Date.now());
        }
      } catch (error) {
        if (!closing) log.warn({ err: error }, 'files of deleted images cannot be removed yet');
      }
      if (!closing) await pause.wait(settings.sweepInterval);
    }
  };

  /** Describes images, one after the other; nothing else waits for them. */
  const watchDescriptions = async (files: PhotoFiles): Promise<void> => {
    const pause = new Signal();
    ending.signal.addEventListener('abort', () => pause.wake());
    const { signal } = ending;
    const describing = { sql, log, files, expiry, signal, model: options.photoModel ?? null };
    while (!closing) {
      let more = false;
      try {
        more = await describeNextPhoto(describing, options.metrics);
      } catch (error) {
        if (!closing) log.warn({ err: error }, 'images cannot be described yet');
      }
      if (!closing && !more) await pause.wait(photoPause);
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
    const common = {
      queue: jobs,
      workers,
      work,
      closing: () => closing,
      log,
    };
    await Promise.all([
      watch(),
      conversationTurns.watch(jobs, settings.sweepInterval, () => work.wake()),
      stepTurns.watch(jobs, settings.sweepInterval, () => work.wake()),
      remove(),
      photos && watchPhotos(photos),
      ...Array.from({ length: photos ? photoWorkers : 0 }, () => watchDescriptions(photos!.files)),
      recordings && watchRecordings(recordings, settings, options.metrics),
      labour({
        ...common,
        name: 'conversation',
        async run(job) {
          const outcome = await counted(options.metrics, 'summary', () =>
            processConversation(context, job.id),
          );
          log.info({ conversation: job.id, outcome }, 'conversation processed');
          if (outcome === 'changed') await conversationTurns.postpone(job, 0);
        },
        again: (job) => conversationTurns.again(job),
        taken: () => conversationTurns.wake(),
        begun: (job) => conversationTurns.begun(job),
        ended: (job) => conversationTurns.ended(job),
      }),
      labour({
        ...common,
        name: 'step',
        async run(job) {
          const outcome = await counted(options.metrics, job.step, () => runStep(context, job));
          log.debug({ step: job.step, outcome }, 'step ended');
        },
        again: (job) => stepTurns.again(job),
        taken: () => stepTurns.wake(),
        begun: (job) => stepTurns.begun(job),
        ended: (job) => stepTurns.ended(job),
      }),
      ...(retained === null
        ? []
        : [
            retainedTurns?.watch(jobs, settings.sweepInterval, () => work.wake()),
            labour({
              ...common,
              name: 'retained',
              workers: retainedWorkers,
              async run(job) {
                retainedTurns?.begun(job);
                await counted(options.metrics, 'retained', () => transcribeRetained(retained, job));
              },
            }),
          ]),
    ]);
  })();

  return {
    ready: () => queue !== undefined,
    async close(timeout) {
      closing = true;
      ending.abort();
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
