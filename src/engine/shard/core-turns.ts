import { type AudioCore, CoreEvent, eventStride, type Utterance } from '../../audio/interface/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { ringTicks, ticksBetween, ticksPerSecond } from '../../ring/index.js';
import type { EngineClock, FrameBatch } from '../shared/index.js';

/**
 * Maximum number of rounds of `settle` and `turn` that wait for the last events of a finished stream. Several
 * rounds are needed if the detector is asynchronous.
 */
const settleRounds = 32;

/**
 * Handlers for the events of a shard's core. Each gets the handle of the event's stream. If a handler throws,
 * `failed` gets the error.
 */
export interface CoreEvents {
  /** @param position on the stream's clock, in samples at 16 kHz. */
  speechStarted(handle: number, position: number): void;
  /** @param probability mean speech probability of the utterance's windows; 0 if unknown. */
  speechEnded(handle: number, position: number, probability: number): void;
  /**
   * Handles audio of the stream. `AudioCore.choose` sets which audio is reported.
   * @param pcm valid until this returns.
   */
  audio(handle: number, position: number, pcm: Int16Array): void;
  utterance(handle: number, utterance: Utterance): void;
  /** Handles an open utterance that got more speech, or in which a pause has begun. */
  speechGoesOn(handle: number, pauses: boolean): void;
  /** @param samples length of the gap at 16 kHz. */
  dropped(handle: number, frames: number, samples: number): void;
  overBudget(handle: number): void;
  /** @param frames number of frames that did not decode. */
  invalid(handle: number, frames: number): void;
  /** Called when a handler for this stream threw an error. Must not throw. */
  failed(handle: number, thrown: unknown): void;
}

export interface CoreTurnsOptions {
  readonly core: AudioCore;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  /** Frames that are not in the core yet. `flush` passes them to the core first. */
  readonly batch: FrameBatch;
  readonly events: CoreEvents;
}

/** Runs the audio core of a shard and dispatches its events. Use it on the shard's thread only. */
export class CoreTurns {
  constructor(private readonly options: CoreTurnsOptions) {}

  /** Decodes all frames that the core has, in turns until it has no more events. */
  run(): void {
    const { clock, core } = this.options;
    for (;;) {
      const count = core.turn(clock.monotonic(), true);
      this.#report(count);
      // If the array of events is full, the turn stopped early and another turn is needed.
      if (count === 0 || count * eventStride < core.events.length) return;
    }
  }

  /** Decodes all frames of a stream and ends its open utterance. @param handle the track's stream in the core. */
  async flush(handle: number): Promise<void> {
    const { batch, clock, core } = this.options;
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

  /** Handles the result of a turn or a flush: measures the delays of decisions, and passes `count` events on. */
  #report(count: number): void {
    this.#measureDecisions();
    this.#dispatch(count);
  }

  #dispatch(count: number): void {
    const { core, events } = this.options;
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
    const { core, events } = this.options;
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

  /**
   * Measures the delay of decisions: the time from the arrival of the frame that completed a window to the
   * decision.
   */
  #measureDecisions(): void {
    const { clock, core, metrics } = this.options;
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
