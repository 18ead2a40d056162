import { type AudioCore, CoreEvent, eventStride } from '../audio/core.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { ringTicks, ticksBetween, ticksPerSecond } from '../ring/index.js';
import type { EngineClock } from './clock.js';
import type { ConnectionSession } from './connection-session.js';
import type { FrameBatch } from './frame-batch.js';
import type { Track } from './track.js';

/** Rounds of `settle` and `turn` in which an asynchronous detector must have delivered a finished stream's events. */
const settleRounds = 32;

export interface CoreTurnsOptions {
  readonly core: AudioCore;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  /** Frames on their way into the core; a flushed stream's go in first. */
  readonly batch: FrameBatch;
  /** ConnectionSession of every slot. The caller's: it fills and empties the slots. */
  readonly sessions: readonly (ConnectionSession | undefined)[];
}

/** Runs the audio core of a shard and gives its events to the sessions. On the shard's thread only. */
export class CoreTurns {
  readonly #options: CoreTurnsOptions;

  constructor(options: CoreTurnsOptions) {
    this.#options = options;
  }

  /** Takes turns until the core has no more to say. */
  run(): void {
    const { clock, core } = this.#options;
    for (;;) {
      const count = core.turn(clock.monotonic(), false);
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
    const { core, log, sessions } = this.#options;
    for (let event = 0; event < count; event++) {
      const at = event * eventStride;
      const handle = core.events[at]!;
      const session = sessions[handle % sessions.length];
      const track = session?.tracks[Math.floor(handle / sessions.length)];
      if (session === undefined || track === undefined) continue;
      try {
        this.#handle(session, track, at);
      } catch (thrown) {
        log.error({ err: thrown }, 'event of the audio core was not handled');
        session.fault(thrown);
      }
    }
  }

  #handle(session: ConnectionSession, track: Track, at: number): void {
    const { core } = this.#options;
    switch (core.events[at + 1]) {
      case CoreEvent.speechStart:
        session.speechStarted(track);
        return;
      case CoreEvent.speechEnd:
        session.speechEnded(track);
        return;
      case CoreEvent.utterance: {
        const utterance = core.takeUtterance(track.handle);
        if (utterance !== undefined) session.utterance(track, utterance);
        return;
      }
      case CoreEvent.dropped:
        session.audioDropped(core.events[at + 2]!, core.events[at + 3]!);
        return;
      case CoreEvent.overBudget:
        session.audioOverBudget(this.#options.clock.ring());
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
