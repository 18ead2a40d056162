import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../../config/index.js';
import { yieldThread } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { coreOptions, loadCore } from '../index.js';
import { type AudioCore, batchStride, CoreEvent, eventStride, type Utterance } from '../interface/index.js';
import { sampleBytesOf } from '../readability/forms/index.js';
import { type Finding, FrameSampler, isBlank, judge, TrialDecoder } from '../readability/index.js';
import { FrameFile, frameDuration } from './frame-file.js';

/**
 * A recording to decode on a worker thread. The port delivers its bytes piece by piece. The worker answers each piece
 * before the caller sends the next one.
 */
export interface DecodeTask {
  readonly port: MessagePort;
  readonly format: StreamFormat;
  readonly settings: Settings;
  /** Maximum duration in ms; longer recordings are refused. */
  readonly longest: number;
}

/** A piece of the file; null at its end. */
export type DecodeRequest = Uint8Array | null;

export type DecodeAnswer =
  | {
      readonly utterances: readonly Utterance[];
      readonly decoded: number;
      readonly invalid: number;
      /** Set at the end of a file if its content does not have the format that its name states. */
      readonly finding?: Finding;
    }
  | { readonly error: ReturnType<CochleaError['toJSON']> };

/** Duration in ms of the audio that is passed to the core at once. */
const batchDuration = 1000;
const batchFrames = 256;
/**
 * Maximum duration in ms of the frames that are queued in the core. These are one batch and a last frame, which may
 * last 8 s.
 */
const frameQueueDuration = 20_000;
const handle = 0;
/** Above this share of invalid frames, the format of a file is examined even if speech was found in the file. */
const fewInvalid = 0.05;

/** Decodes frames in other formats. It is created for the first file that needs it. */
let trial: Promise<TrialDecoder> | undefined;

/**
 * The core of this thread. It is created for the first recording, and again if a recording has a different maximum
 * duration.
 */
let made: { readonly core: Promise<AudioCore>; readonly longest: number } | undefined;

const coreFor = (settings: Settings, longest: number): Promise<AudioCore> => {
  if (made?.longest === longest) return made.core;
  yieldThread();
  void made?.core.then((core) => core.destroy());
  // `push` receives the memory of each batch, so the core's default memory is unused.
  const own = { maxStreams: 1, memory: new Uint8Array(64) };
  // With this budget, the core refuses frames beyond `longest` by reading their heads, before it decodes them.
  const budget = { pace: Number.MIN_VALUE, backlog: longest };
  const options = { ...coreOptions(settings, own), frameQueueDuration, budget };
  made = { core: loadCore(settings.core, options), longest };
  return made.core;
};

class Decoding {
  readonly #file = new FrameFile();
  readonly #batch = new Uint32Array(batchFrames * batchStride);
  #utterances: Utterance[] = [];
  #hasSpeech = false;
  /** Copies the first frames, to examine their format. */
  readonly #sampler: FrameSampler;
  /** Whether the recording is PCM. Every PCM frame decodes. */
  readonly #isRaw: boolean;

  constructor(
    private readonly core: AudioCore,
    private readonly format: StreamFormat,
  ) {
    this.#sampler = new FrameSampler(format);
    this.#isRaw = sampleBytesOf(format) > 0;
    core.open(handle, format);
  }

  /**
   * Decodes a piece of the file.
   * @param preference as in `loadCore`.
   */
  async decode(piece: DecodeRequest, preference: Settings['core']): Promise<DecodeAnswer> {
    if (piece === null) {
      this.#file.end();
      await this.#finish();
    } else await this.#decodePiece(piece);
    const { framesDecoded, framesInvalid, framesOverBudget } = this.core.status(handle);
    if (framesOverBudget > 0) throw new CochleaError('recording_too_long');
    const utterances = this.#utterances;
    this.#utterances = [];
    const counts = { decoded: framesDecoded, invalid: framesInvalid };
    if (piece !== null) return { utterances, ...counts };
    const finding = await this.#look(counts, preference);
    return { utterances, ...counts, ...(finding !== null && { finding }) };
  }

  /**
   * Examines the first frames of a file if its name may state a wrong format. This is done for PCM, which always
   * decodes, for a file without speech, and for a file with invalid frames.
   */
  async #look(
    { decoded, invalid }: { readonly decoded: number; readonly invalid: number },
    preference: Settings['core'],
  ): Promise<Finding | null> {
    const frames = decoded + invalid;
    const looksSound = !this.#isRaw && this.#hasSpeech && invalid <= fewInvalid * frames;
    if (frames === 0 || looksSound) return null;
    trial ??= TrialDecoder.load(preference);
    const decodes = this.#isRaw ? 1 : decoded / frames;
    const sample = this.#sampler.sample({ format: this.format, first: true, aligned: true, decodes });
    const verdict = await judge(sample, await trial);
    return typeof verdict === 'string' ? null : verdict;
  }

  close(): void {
    this.core.close(handle);
  }

  async #decodePiece(piece: Uint8Array): Promise<void> {
    const { bytes, frames } = this.#file.read(piece);
    let count = 0;
    let duration = 0;
    for (let at = 0; at < frames.length; at += 2) {
      const [offset = 0, length = 0] = frames.slice(at, at + 2);
      this.#sample(bytes.subarray(offset, offset + length));
      this.#batch.set([handle, offset, length, 0], count * batchStride);
      count++;
      duration += frameDuration(this.format, bytes.subarray(offset, offset + length));
      if (count < batchFrames && duration < batchDuration) continue;
      await this.#decodeBatch(bytes, count);
      count = 0;
      duration = 0;
    }
    if (count > 0) await this.#decodeBatch(bytes, count);
  }

  /**
   * Copies a frame for the examination. Skips silence at the beginning of PCM, because silence does not reveal the
   * format.
   */
  #sample(frame: Uint8Array): void {
    if (this.#isRaw && this.#sampler.frames === 0 && isBlank(frame)) return;
    // A file contains no arrival times of its frames, so every frame gets the arrival time 0.
    this.#sampler.add(frame, 0);
  }

  async #decodeBatch(bytes: Uint8Array, count: number): Promise<void> {
    const now = performance.now();
    this.core.push(this.#batch, count, now, bytes);
    await this.#work(() => this.core.turn(now, true));
  }

  #finish(): Promise<void> {
    return this.#work(() => this.core.flush(handle, performance.now()));
  }

  /** Handles the events of the first call, then runs turns of the core until there are no events. */
  async #work(first: () => number): Promise<void> {
    let events = first();
    do {
      this.#take(events);
      await this.core.settle();
      events = this.core.turn(performance.now(), true);
    } while (events > 0);
  }

  #take(events: number): void {
    for (let event = 0; event < events; event++) {
      if (this.core.events[event * eventStride + 1] !== CoreEvent.utterance) continue;
      const utterance = this.core.takeUtterance(handle);
      if (utterance === undefined) continue;
      this.#utterances.push(utterance);
      this.#hasSpeech = true;
    }
  }
}

/** Decodes a recording and finds its speech, as a piscina task. Ends when the port closes, or after the answer to the end of the file. */
export const decodeRecording = async ({ port, format, settings, longest }: DecodeTask): Promise<void> => {
  const pieces: DecodeRequest[] = [];
  let wake: () => void = () => undefined;
  let closed = false;
  port.on('message', (piece: DecodeRequest) => {
    pieces.push(piece);
    wake();
  });
  port.on('close', () => {
    closed = true;
    wake();
  });
  let decoding: Decoding | undefined;
  try {
    decoding = new Decoding(await coreFor(settings, longest), format);
    for (let ended = false; !ended; ) {
      while (pieces.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (closed) return;
      const piece = pieces.shift()!;
      ended = piece === null;
      port.postMessage(await decoding.decode(piece, settings.core));
    }
  } catch (error) {
    if (!(error instanceof CochleaError)) throw error;
    port.postMessage({ error: error.toJSON() } satisfies DecodeAnswer);
  } finally {
    decoding?.close();
    port.close();
  }
};
