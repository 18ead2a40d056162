import { joinSamples } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { type StreamFormat, usualGate } from '../../wire/index.js';
import { loadCore } from '../index.js';
import { type AudioCore, batchStride, CoreEvent, coreRate, eventStride } from '../interface/index.js';

/** The result of decoding a copy of some frames in one format. */
export interface Trial {
  readonly decoded: number;
  readonly invalid: number;
  /** Mono at `coreRate`; the caller owns the memory. */
  readonly pcm: Int16Array;
  /** Share of `pcm` in which the detector finds speech, 0 to 1. */
  readonly speech: number;
}

/**
 * Duration in ms of the shortest continuous speech that counts. At twice their speed, syllables are shorter than this.
 */
const shortestSpeech = 128;
const gate = {
  ...usualGate,
  preRoll: 0,
  endSilence: 96,
  minSpeech: shortestSpeech,
  maxUtterance: 60_000,
} as const;
/** Maximum duration in ms of the audio that one call decodes. */
const longest = 120_000;
/**
 * Number of frames that are pushed between two turns of the core. The number is small, because the core hands out a
 * bounded amount of audio per turn.
 */
const framesOfTurn = 8;
const handle = 0;

/**
 * Decodes copies of frames in different formats, with a separate core. Call it only on the thread that created it, and
 * only one call at a time.
 */
export class TrialDecoder {
  readonly #batch = new Uint32Array(batchStride);

  private constructor(private readonly core: AudioCore) {}

  /** Loads the core. @throws CochleaError core_unavailable */
  static async load(preference: 'auto' | 'native' | 'portable'): Promise<TrialDecoder> {
    const core = await loadCore(preference, {
      gate,
      frameQueueDuration: longest,
      turnWindows: 16,
      turnDeadline: 0,
      maxStreams: 1,
      memory: new Uint8Array(0),
    });
    return new TrialDecoder(core);
  }

  /**
   * Decodes frames in a format.
   * @param frames only read.
   * @returns null for a format that this core cannot decode.
   */
  async run(format: StreamFormat, frames: readonly Uint8Array[]): Promise<Trial | null> {
    const core = this.core;
    try {
      core.open(handle, format);
    } catch (thrown) {
      if (thrown instanceof CochleaError) return null;
      throw thrown;
    }
    try {
      return await this.#decode(frames);
    } finally {
      core.close(handle);
    }
  }

  destroy(): void {
    this.core.destroy();
  }

  async #decode(frames: readonly Uint8Array[]): Promise<Trial> {
    const core = this.core;
    core.choose(handle, 'everything');
    const pieces: Int16Array[] = [];
    const marks: number[] = [];
    const visit = (count: number): void => {
      for (let event = 0; event < count; event++) {
        const [, kind, at = 0, from = 0, length = 0] = core.events.subarray(event * eventStride);
        if (kind === CoreEvent.audio) pieces.push(core.audio.slice(from, from + length));
        else if (kind === CoreEvent.speechStart || kind === CoreEvent.speechEnd) marks.push(at);
      }
    };
    const finish = async (first: number): Promise<void> => {
      for (let count = first; ; count = core.turn(0, true)) {
        visit(count);
        await core.settle();
        if (count === 0) return;
      }
    };
    for (const [index, frame] of frames.entries()) {
      this.#batch.set([handle, 0, frame.length, 0]);
      core.push(this.#batch, 1, 0, frame);
      if (index % framesOfTurn === framesOfTurn - 1) await finish(core.turn(0, true));
    }
    await finish(core.turn(0, true));
    await finish(core.flush(handle, 0));
    const { framesDecoded: decoded, framesInvalid: invalid } = core.status(handle);
    const pcm = joinSamples(pieces);
    return { decoded, invalid, pcm, speech: pcm.length === 0 ? 0 : spoken(marks, pcm.length) / pcm.length };
  }
}

/**
 * Returns the number of samples between starts and ends of speech. If the last end is missing, the speech lasts until
 * `length`.
 */
const spoken = (marks: readonly number[], length: number): number => {
  let sum = 0;
  for (let index = 0; index < marks.length; index += 2)
    sum += Math.min(marks[index + 1] ?? length, length) - Math.min(marks[index]!, length);
  return sum;
};

/** Returns the duration in seconds of audio at `coreRate`. */
export const secondsOf = (pcm: Int16Array): number => pcm.length / coreRate;
