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
  /** The speaker model of the manifest. */
  readonly speakerModel?: string;
}

/**
 * Workers for coarse jobs, apart from the shards: a shard's thread is taken for as long as it lives, so a job queued
 * there would never run.
 */
export interface JobsPool {
  /**
   * Tells the voices of an utterance apart, beside those of other streams that come within a few ms. Of one stream only one at a time.
   * @returns undefined when too many wait, and when the pool is stopping.
   * @throws (rejects) what kept the worker from loading the model or running it.
   */
  tellVoices(job: VoiceJob): Promise<VoiceResult | undefined>;
  /**
   * Decides anew whose voice each entry of a conversation's history is, beside other conversations that end within a few ms.
   * @returns undefined when too many wait, and when the pool is stopping.
   * @throws (rejects) when the worker cannot do it.
   */
  reviseVoices(history: PackedVoices): Promise<Int32Array | undefined>;
  /**
   * The voice of a recording by which a person is to be recognised in streams, in several conditions. The caller bounds how many wait.
   * @param pcm mono 16 kHz, transferred: the caller loses it.
   * @throws (rejects) what kept the worker from loading the model or running it.
   */
  enrolVoice(pcm: Int16Array): Promise<EnrolledVoice>;
  /** Finishes the runs under way, frees the models, ends the threads. What had not begun is undecided. Idempotent. */
  stop(): Promise<void>;
}

/** Ms that an utterance waits for company. */
const gatherTime = 5;
/** Windows of utterances after which a batch is full: from four on a run gets longer, not cheaper, but utterances have several. */
const batchWindows = 64;
/** The same for entries of histories. */
const batchEntries = 4096;
/** Utterances that may wait, and conversations. */
const capacity = 256;

/**
 * Starts the workers; each loads the model with its first job.
 * @throws CochleaError `model_missing`, `disk_full` when the model's files cannot be had.
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
