import type { Utterance } from '../audio/core.js';
import type { Logger } from '../log/index.js';
import type { EngineClock } from './clock.js';
import type { ConnectionSession } from './connection-session.js';
import { slotOf, trackNumberOf } from './handles.js';
import type { Track } from './track.js';

/** What the core of a shard reports of its streams, by their handles. What one of these throws is given to `failed`. */
export interface CoreEvents {
  speechStarted(handle: number): void;
  speechEnded(handle: number): void;
  utterance(handle: number, utterance: Utterance): void;
  /** @param samples of the gap, at 16 kHz. */
  dropped(handle: number, frames: number, samples: number): void;
  overBudget(handle: number): void;
  /** An event of this stream was not handled. Must not throw. */
  failed(handle: number, thrown: unknown): void;
}

export interface SessionEventsOptions {
  /** Session of every slot. The shard's, which fills and empties the slots. */
  readonly sessions: readonly (ConnectionSession | undefined)[];
  readonly clock: EngineClock;
  readonly log: Logger;
}

/** Hands what the core reports to the sessions. What a session throws ends that session only. On the shard's thread only. */
export class SessionEvents implements CoreEvents {
  readonly #options: SessionEventsOptions;

  constructor(options: SessionEventsOptions) {
    this.#options = options;
  }

  speechStarted(handle: number): void {
    this.#tell(handle, (session, track) => session.speechStarted(track));
  }

  speechEnded(handle: number): void {
    this.#tell(handle, (session, track) => session.speechEnded(track));
  }

  utterance(handle: number, utterance: Utterance): void {
    this.#tell(handle, (session, track) => session.utterance(track, utterance));
  }

  dropped(handle: number, frames: number, samples: number): void {
    this.#tell(handle, (session) => session.audioDropped(frames, samples));
  }

  overBudget(handle: number): void {
    this.#tell(handle, (session) => session.audioOverBudget(this.#options.clock.ring()));
  }

  failed(handle: number, thrown: unknown): void {
    this.#options.log.error({ err: thrown }, 'event of the audio core was not handled');
    this.#tell(handle, (session) => session.fault(thrown));
  }

  #tell(handle: number, event: (session: ConnectionSession, track: Track) => void): void {
    const { sessions } = this.#options;
    const session = sessions[slotOf(handle, sessions.length)];
    const track = session?.tracks[trackNumberOf(handle, sessions.length)];
    if (session !== undefined && track !== undefined) event(session, track);
  }
}
