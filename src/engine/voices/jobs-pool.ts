import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Settings } from '../../config/index.js';
import { ensureModel, modelOptions, modelsDirectory, speakerModel, voiceModel } from '../../models/index.js';
import { Batcher } from '../shared/index.js';
import type { EnrolledVoice } from './enrolment.js';
import type { PackedVoices } from './history.js';
import type { EnrolTask, ReleaseTask, RevisionTask, VoicesTask } from './jobs-worker.js';
import type { VoiceJob, VoiceResult } from './stream.js';

export interface JobsPoolOptions {
  readonly settings: Settings;
  /** Name of the speaker model in the model manifest. */
  readonly speakerModel?: string;
}

/**
 * Pool of worker threads for jobs on voices. Shards use another pool, because a shard occupies its thread
 * permanently and a job queued behind it would never run.
 */
export interface JobsPool {
  /**
   * Diarizes a piece of audio, in one batch with pieces of other streams that arrive within a few ms. The caller
   * sends the pieces of a stream one after the other.
   * @returns undefined if the queue is full or the pool is stopping.
   * @throws (rejects) the error of the worker that could not load or run the model.
   */
  tellVoices(job: VoiceJob): Promise<VoiceResult | undefined>;
  /**
   * Assigns a voice again to each entry of a conversation's history, in one batch with conversations that end
   * within a few ms.
   * @returns undefined if the queue is full or the pool is stopping.
   * @throws (rejects) the error of the worker.
   */
  reviseVoices(history: PackedVoices): Promise<Int32Array | undefined>;
  /**
   * Computes the voice of a recording, without and with added noise, so that the person is later recognised in
   * streams. The caller must limit the number of waiting calls.
   * @param pcm mono samples at 16 kHz. They are transferred, so the caller cannot use them afterwards.
   * @throws (rejects) the error of the worker that could not load or run the model.
   */
  enrolVoice(pcm: Int16Array): Promise<EnrolledVoice>;
  /** Waits for the running batches, frees the models and ends the threads. Waiting jobs resolve with undefined. Idempotent. */
  stop(): Promise<void>;
}

/** Time in ms that a job waits for other jobs to share its batch. */
const gatherTime = 5;
/**
 * Number of windows at which a batch of pieces is full. A run of the model gains nothing from more than four windows.
 * The limit is higher because a single piece already has several windows.
 */
const batchWindows = 64;
/** Number of history entries at which a batch of conversations is full. */
const batchEntries = 4096;
/** Maximum number of waiting pieces, and of waiting conversations. */
const capacity = 256;

/**
 * Starts the workers. Each worker loads the model with its first job.
 * @throws CochleaError `model_missing`, `disk_full` if the model's files cannot be provided.
 */
export const startJobsPool = async (options: JobsPoolOptions): Promise<JobsPool> => {
  const { settings } = options;
  const name = options.speakerModel ?? voiceModel;
  const { voices: rule } = speakerModel(name);
  await ensureModel(name, modelOptions(settings));
  const threads = settings.jobThreads;
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./jobs-worker.js', import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  const modelsDir = modelsDirectory(settings);
  const voices = new Batcher<VoiceJob, VoiceResult | undefined>({
    concurrency: threads,
    gatherTime,
    limit: batchWindows,
    capacity,
    weigh: ({ pcm }) => pcm.length / (16 * rule.hop),
    run: (jobs) => {
      const task: VoicesTask = { model: name, modelsDir, core: settings.core, jobs };
      return pool.run(task, { name: 'tellVoices' });
    },
  });

  const revisions = new Batcher<PackedVoices, Int32Array | undefined>({
    concurrency: threads,
    gatherTime,
    limit: batchEntries,
    capacity,
    weigh: ({ count }) => count,
    run: (history) => pool.run({ model: name, history } satisfies RevisionTask, { name: 'reviseVoices' }),
  });

  const stop = async (): Promise<void> => {
    await Promise.all([voices, revisions].map((work) => work.close(() => undefined)));
    const task: ReleaseTask = { released: new SharedArrayBuffer(4), threads };
    await Promise.all(Array.from({ length: threads }, () => pool.run(task, { name: 'releaseSpeakers' })));
    await pool.close();
  };

  let stopped: Promise<void> | undefined;
  return {
    tellVoices: async (job) => voices.add(job),
    reviseVoices: async (history) => revisions.add(history),
    enrolVoice: (pcm) => {
      const task: EnrolTask = { model: name, modelsDir, core: settings.core, pcm };
      return pool.run(task, { name: 'enrolVoice', transferList: [pcm.buffer as ArrayBuffer] });
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
