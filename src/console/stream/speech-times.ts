import type { StreamMessage } from './messages.js';

/** Ms for which past speech is remembered. */
const kept = 60_000;

/** A time in which someone spoke, in ms of the clock. `to` is Infinity while the person still speaks. */
export interface SpokenTime {
  readonly from: number;
  readonly to: number;
}

/** Remembers when someone spoke in the last minute. It reads the messages `speech_activity`. */
export class SpeechTimes {
  #times: readonly SpokenTime[] = [];

  /**
   * Takes a message of the engine.
   * @param position ms of the end of the recording on its clock.
   * @param now ms of the clock.
   */
  message(message: StreamMessage, position: number, now: number): void {
    if (message.type !== 'speech_activity') return;
    const at = now - Math.max(0, position - message.at * 1000);
    const recent = this.#times.filter(({ to }) => to > now - kept);
    const last = recent.at(-1);
    const open = last?.to === Number.POSITIVE_INFINITY ? last : undefined;
    const closed = open === undefined ? recent : recent.slice(0, -1);
    if (message.speaking) this.#times = [...closed, { from: open?.from ?? at, to: Number.POSITIVE_INFINITY }];
    else
      this.#times =
        open === undefined ? recent : [...closed, { from: open.from, to: Math.max(open.from, at) }];
  }

  /** Ends speech that has no end yet, because the connection is lost or nothing is recorded. */
  end(now: number): void {
    this.#times = this.#times.map(({ from, to }) => ({ from, to: Math.min(to, Math.max(from, now)) }));
  }

  /** Returns the times of the last minute, in order. @param now ms of the clock. */
  spoken(now: number): readonly SpokenTime[] {
    return this.#times
      .filter(({ to }) => to > now - kept)
      .map(({ from, to }) => ({ from: Math.max(from, now - kept), to: Math.min(to, now) }));
  }
}
