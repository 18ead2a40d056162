import { loadCore } from '../../audio/index.js';
import {
  type AudioCore,
  batchStride,
  CoreEvent,
  coreRate,
  eventStride,
  windowSamples,
} from '../../audio/interface/index.js';
import type { Settings } from '../../config/index.js';
import { usualGate } from '../../wire/index.js';

/** A range of samples. `to` is exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Length in ms of a window of the detector. */
const windowTime = (windowSamples / coreRate) * 1000;
/**
 * Settings of a gate that is finer than the gate for utterances. It removes pauses of at least three windows, and
 * speech of fewer than six windows.
 */
const gate = {
  ...usualGate,
  preRoll: 0,
  endSilence: 3 * windowTime,
  minSpeech: 6 * windowTime,
  maxUtterance: 60_000,
};
/** Number of samples in one frame for the core. */
const frameSamples = 1600;
/** Maximum length in ms of the audio that the core queues. */
const longest = 60_000;

/**
 * Finds the stretches of speech within utterances. It owns a core, so it may be used only on the thread that
 * created it.
 */
export class FineGate {
  private constructor(
    private readonly core: AudioCore,
    private readonly memory: Int16Array,
  ) {}

  /** Loads the gate and its core. @throws CochleaError core_unavailable */
  static async load(preference: Settings['core']): Promise<FineGate> {
    const memory = new Int16Array(frameSamples);
    const core = await loadCore(preference, {
      gate,
      frameQueueDuration: longest,
      turnWindows: 16,
      turnDeadline: 0,
      maxStreams: 1,
      memory: new Uint8Array(memory.buffer),
    });
    return new FineGate(core, memory);
  }

  /** Finds speech in audio. @param pcm mono samples at 16 kHz. @returns the stretches of speech, in order. */
  async speechIn(pcm: Int16Array): Promise<Stretch[]> {
    const core = this.core;
    core.open(0, { codec: 'pcm16', sampleRate: coreRate, channels: 1 });
    try {
      return await this.#speechIn(pcm);
    } finally {
      core.close(0);
    }
  }

  async #speechIn(pcm: Int16Array): Promise<Stretch[]> {
    const core = this.core;
    const marks: { kind: number; at: number }[] = [];
    const visit = (count: number): void => {
      for (let event = 0; event < count; event++) {
        const [, kind, at] = core.events.subarray(event * eventStride);
        if (kind === CoreEvent.speechStart || kind === CoreEvent.speechEnd) marks.push({ kind, at: at! });
        if (kind === CoreEvent.utterance) core.takeUtterance(0);
      }
    };
    const batch = new Uint32Array(batchStride);
    for (let from = 0; from < pcm.length; from += frameSamples) {
      const frame = pcm.subarray(from, from + frameSamples);
      this.memory.set(frame);
      batch.set([0, 0, frame.byteLength, 0]);
      core.push(batch, 1, 0);
      visit(core.turn(0, true));
    }
    let count = core.flush(0, 0);
    do {
      visit(count);
      await core.settle();
      count = core.turn(0, true);
    } while (count > 0);
    return stretches(marks, pcm.length);
  }

  destroy(): void {
    this.core.destroy();
  }
}

const stretches = (
  marks: readonly { readonly kind: number; readonly at: number }[],
  length: number,
): Stretch[] => {
  const found: Stretch[] = [];
  let from: number | undefined;
  for (const { kind, at } of marks) {
    if (kind === CoreEvent.speechStart) from ??= at;
    else if (from !== undefined) {
      found.push({ from, to: Math.min(at, length) });
      from = undefined;
    }
  }
  if (from !== undefined) found.push({ from, to: length });
  return found.filter((stretch) => stretch.to > stretch.from);
};
