import { type AudioCore, CoreEvent, eventStride, type Utterance } from '../../audio/interface/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { ringTicks, ticksBetween, ticksPerSecond } from '../../ring/index.js';
import type { EngineClock, FrameBatch } from '../shared/index.js';

/** Rounds of `settle` and `turn` in which an asynchronous detector must have delivered a finished stream's events. */
const settleRounds = 32;

/** What the core of a shard reports of its streams, by their handles. What one of these throws is given to `failed`. */
export interface CoreEvents {
  /** @param position on the stream's clock, in samples at 16 kHz. */
  speechStarted(handle: number, position: number): void;
  /** @param probability mean probability of its windows; 0 where it is not known. */
  speechEnded(handle: number, position: number, probability: number): void;
  /**
   * Audio that the stream hands out.
   * @param pcm valid until this returns.
   */
  audio(handle: number, position: number, pcm: Int16Array): void;
  utterance(handle: number, utterance: Utterance): void;
  /** An open utterance has more speech, or pauses. */
  speechGoesOn(handle: number, pauses: boolean): void;
  /** @param samples of the gap, at 16 kHz. */
  dropped(handle: number, frames: number, samples: number): void;
  overBudget(handle: number): void;
  /** So many frames did not decode. */
  invalid(handle: number, frames: number): void;
  /** An event of this stream was not handled. Must not throw. */
  failed(handle: number, thrown: unknown): void;
}

export interface CoreTurnsOptions {
  readonly core: AudioCore;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  /** Frames on their way into the core; a flushed stream's go in first. */
  readonly batch: FrameBatch;
  readonly events: CoreEvents;
}

/** Runs the audio core of a shard and hands on what it reports. On the shard's thread only. */
export class CoreTurns {
  readonly #options: CoreTurnsOptions;

  constructor(options: CoreTurnsOptions) {
    this.#options = options;
  }

  /**
   * Takes turns until the core has no more to say.
   * @param force whether everything is decoded now, even where it could wait for more.
   */
  run(force = false): void {
    const { clock, core } = this.#options;
    for (;;) {
      const count = core.turn(clock.monotonic(), force);
      this.#report(count);
      // A full array means that the turn stopped early.
      if (count === 0 || count * eventStride < core.events.length) return;
    }
  }

  /** Decodes and detects a stream to its end. @param handle of the track's stream in the core. */
  async flush(handle: number): Promise<void> {
    const { batch, clock, core } = this.#options;
    batch.push(clock.monotonic());
    this.#report(core.flush(handle, clock.monotonic()));
    if (core.capabilities.synchronous) return;
    for (let round = 0; round < settleRounds; round++) {
      await core.settle();
      const count = core.turn(clock.monotonic(), false);
      this.#report(count);
      if (count === 0) return;
    }
  }

  /** What a turn or a flush has left: windows decided, and so many events. */
  #report(count: number): void {
    this.#measureDecisions();
    this.#dispatch(count);
  }

  #dispatch(count: number): void {
    const { core, events } = this.#options;
    for (let event = 0; event < count; event++) {
      const at = event * eventStride;
      const handle = core.events[at]!;
      try {
        this.#emit(handle, at);
      } catch (thrown) {
        events.failed(handle, thrown);
      }
    }
  }

  #emit(handle: number, at: number): void {
    const { core, events } = this.#options;
    switch (core.events[at + 1]) {
      case CoreEvent.speechStart:
        events.speechStarted(handle, core.events[at + 2]!);
        return;
      case CoreEvent.speechEnd:
        events.speechEnded(handle, core.events[at + 2]!, core.events[at + 3]!);
        return;
      case CoreEvent.utterance: {
        const utterance = core.takeUtterance(handle);
        if (utterance !== undefined) events.utterance(handle, utterance);
        return;
      }
      case CoreEvent.audio: {
        const from = core.events[at + 3]!;
        events.audio(handle, core.events[at + 2]!, core.audio.subarray(from, from + core.events[at + 4]!));
        return;
      }
      case CoreEvent.open:
        events.speechGoesOn(handle, core.events[at + 4] === 1);
        return;
      case CoreEvent.dropped:
        events.dropped(handle, core.events[at + 2]!, core.events[at + 3]!);
        return;
      case CoreEvent.invalidFrames:
        events.invalid(handle, core.events[at + 2]!);
        return;
      case CoreEvent.overBudget:
        events.overBudget(handle);
        return;
      default:
    }
  }

  /** How long the frames waited that completed the windows just decided. */
  #measureDecisions(): void {
    const { clock, core, metrics } = this.#options;
    const { decided } = core;
    const windows = decided[0]!;
    if (windows === 0) return;
    metrics.add('vad_windows_total', windows);
    const now = ringTicks(clock.ring());
    for (let window = 1; window <= windows; window++) {
      metrics.observe('frame_to_vad_seconds', ticksBetween(decided[window]!, now) / ticksPerSecond);
    }
  }
}
