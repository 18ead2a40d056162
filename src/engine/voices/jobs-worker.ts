import { loadAnalysis } from '../../audio/index.js';
import type { Settings } from '../../config/index.js';
import { yieldThread } from '../../config/process/index.js';
import { requireModel, SpeakerEncoder, speakerModel } from '../../models/index.js';
import { embedWindows, melWindows } from './embedding.js';
import { type EnrolledVoice, type EnrolmentTools, enrolledVoice } from './enrolment.js';
import { FineGate } from './fine-gate.js';
import type { PackedVoices } from './history.js';
import { revisePacked } from './revise-packed.js';
import { addWindows, type CutWindows, cutWindows, type VoiceJob, type VoiceResult } from './stream.js';

interface ModelTask {
  /** Name of a speaker model in the model manifest. Its verified files are in `modelsDir`. */
  readonly model: string;
  readonly modelsDir: string;
  readonly core: Settings['core'];
}

export interface ReleaseTask {
  /** One Int32: the number of threads that have released their models. */
  readonly released: SharedArrayBuffer;
  readonly threads: number;
}

/** Maximum time in ms that a thread waits for the other threads when the pool ends. */
const releaseTimeout = 5000;

export interface VoicesTask extends ModelTask {
  /** Jobs to process, with at most one job per stream. */
  readonly jobs: readonly VoiceJob[];
}

export interface EnrolTask extends ModelTask {
  /** Mono samples at 16 kHz. */
  readonly pcm: Int16Array;
}

/** Models, analysis and gate; the thread's first task loads them. */
let tools: Promise<EnrolmentTools> | undefined;

const makeTools = async ({ model, modelsDir, core }: ModelTask): Promise<EnrolmentTools> => {
  // Lowers the priority of this thread, because speech has priority over speaker labels.
  yieldThread();
  return {
    encoder: await SpeakerEncoder.load(speakerModel(model), await requireModel(model, modelsDir)),
    analysis: loadAnalysis(core),
    gate: await FineGate.load(core),
  };
};

const toolsFor = (task: ModelTask): Promise<EnrolmentTools> => {
  tools ??= makeTools(task);
  return tools.catch((thrown: unknown) => {
    tools = undefined;
    throw thrown;
  });
};

/** Diarizes pieces of several streams. Runs as a piscina task. The windows of all pieces share runs of the model. */
export const tellVoices = async (task: VoicesTask): Promise<VoiceResult[]> => {
  const { encoder, analysis, gate } = await toolsFor(task);
  const { frontEnd, voices: rule } = encoder.model;
  const cuts: CutWindows[] = [];
  for (const job of task.jobs) cuts.push(cutWindows(job, await gate.speechIn(job.pcm), rule));
  const windows = cuts.flatMap((cut) => melWindows(cut, analysis, frontEnd));
  const embeddings = await embedWindows(windows, encoder);
  let next = 0;
  return task.jobs.map((job, index) => {
    const cut = cuts[index]!;
    const own = embeddings.slice(next, next + cut.middles.length);
    next += own.length;
    return addWindows(job, cut, own, rule);
  });
};

export interface RevisionTask {
  readonly model: string;
  /** Histories to revise, with at most one per conversation. */
  readonly history: readonly PackedVoices[];
}

/**
 * Assigns the voices of complete conversations again, one conversation after the other. Runs as a piscina task and
 * needs no model files.
 */
export const reviseVoices = ({ model, history }: RevisionTask): Int32Array[] => {
  yieldThread();
  const { revision } = speakerModel(model);
  return history.map((packed) => revisePacked(packed, revision));
};

/** Computes the voice of a recording with which a person enrols. Runs as a piscina task. */
export const enrolVoice = async (task: EnrolTask): Promise<EnrolledVoice> =>
  enrolledVoice(task.pcm, await toolsFor(task));

/**
 * Frees the thread's models and core. This is the last piscina task of each thread. The pool cannot send a task to a
 * chosen thread. So it starts this task once per thread, and each task blocks its thread until all these tasks have
 * begun.
 */
export const releaseSpeakers = async ({ released, threads }: ReleaseTask): Promise<void> => {
  const held = await tools?.catch(() => undefined);
  tools = undefined;
  held?.gate.destroy();
  await held?.encoder.release();
  const count = new Int32Array(released);
  Atomics.add(count, 0, 1);
  Atomics.notify(count, 0);
  const until = performance.now() + releaseTimeout;
  for (;;) {
    const seen = Atomics.load(count, 0);
    const left = until - performance.now();
    if (seen >= threads || left <= 0) return;
    Atomics.wait(count, 0, seen, left);
  }
};
