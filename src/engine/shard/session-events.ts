import type { Utterance } from '../../audio/interface/index.js';
import type { Logger } from '../../log/index.js';
import type { ConnectionSession, Track } from '../session/index.js';
import { type EngineClock, slotOf, trackNumberOf } from '../shared/index.js';
import type { CoreEvents } from './core-turns.js';
import type { Sessions } from './sessions.js';

export interface SessionEventsOptions {
  readonly sessions: Sessions;
  /** Number of slots of the shard. */
  readonly slots: number;
  readonly clock: EngineClock;
  readonly log: Logger;
}

/**
 * Passes the core's events to the sessions. If a session throws an error, only that session ends. Use it on the
 * shard's thread only.
 */
export class SessionEvents implements CoreEvents {
  constructor(private readonly options: SessionEventsOptions) {}

  speechStarted(handle: number, position: number): void {
    this.#tell(handle, (session, track) => session.speechStarted(track, position));
  }

  speechEnded(handle: number, position: number, probability: number): void {
    this.#tell(handle, (session, track) => session.speechEnded(track, position, probability));
  }

  audio(handle: number, position: number, pcm: Int16Array): void {
    this.#tell(handle, (_session, track) => track.audio(position, pcm));
  }

  utterance(handle: number, utterance: Utterance): void {
    this.#tell(handle, (session, track) => session.utterance(track, utterance));
  }

  speechGoesOn(handle: number, pauses: boolean): void {
    this.#tell(handle, (_session, track) => track.speechGoesOn(pauses));
  }

  dropped(handle: number, frames: number, samples: number): void {
    this.#tell(handle, (session) => session.audioDropped(frames, samples));
  }

  invalid(handle: number, frames: number): void {
    this.#tell(handle, (session) => session.audioNotices.invalid(frames, this.options.clock.ring()));
  }

  overBudget(handle: number): void {
    this.#tell(handle, (session) => session.audioNotices.overBudget(this.options.clock.ring()));
  }

  failed(handle: number, thrown: unknown): void {
    this.options.log.error({ err: thrown }, 'event of the audio core was not handled');
    this.#tell(handle, (session) => session.fault(thrown));
  }

  #tell(handle: number, event: (session: ConnectionSession, track: Track) => void): void {
    const { sessions, slots } = this.options;
    const session = sessions.at(slotOf(handle, slots));
    const track = session?.tracks[trackNumberOf(handle, slots)];
    if (session !== undefined && track !== undefined) event(session, track);
  }
}
