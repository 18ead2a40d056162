import { frameSeconds } from './recorded-audio.js';

/** Seconds by which words arrive after their audio; `docs/protocol.md` explains this correction. */
export const lag = 5;
/** Maximum length of an utterance in s. Older audio without a segment had no speech, or is stored without words. */
export const longestUtterance = 15;

/** Seconds that an engine needs for a second of a backlog while new audio arrives: it transcribes at 1.5 times real time or faster. */
const catchUp = 2;

/**
 * Estimates which audio of one connection the engine has stored. Segment times count from the start of the
 * conversation, so the estimate follows the rules of `docs/protocol.md` ("Audio to send again").
 */
export class StoredEstimate {
  #ahead = Number.POSITIVE_INFINITY;
  #earliestStart = Number.POSITIVE_INFINITY;
  #latestEnd = Number.NEGATIVE_INFINITY;
  readonly #caughtUpAt: number;

  /**
   * @param first number of the first frame of the connection.
   * @param backlog seconds of older audio that are sent at once.
   * @param openedAt ms.
   */
  constructor(
    private readonly first: number,
    backlog: number,
    openedAt: number,
  ) {
    this.#caughtUpAt = openedAt + backlog * catchUp * 1000;
  }

  /**
   * Notes segments that arrived.
   * @param newStart smallest start in s of the segments with new ids; Infinity without one.
   * @param end largest end in s.
   * @param next number of the frame that is sent next.
   */
  segments(newStart: number, end: number, next: number, now: number): void {
    this.#earliestStart = Math.min(this.#earliestStart, newStart);
    this.#latestEnd = Math.max(this.#latestEnd, end);
    // While the engine reads a backlog, `sent` is far ahead of the audio that it has transcribed.
    if (now >= this.#caughtUpAt)
      this.#ahead = Math.min(this.#ahead, (next - this.first) * frameSeconds - end);
  }

  /** Returns the number of the first frame to send again after a close. @param next number of the frame that would be sent next. */
  sendAgainFrom(next: number, now: number): number {
    const sent = (next - this.first) * frameSeconds;
    // Words of this connection cannot have been said before its first frame.
    const least = Math.max(0, this.#latestEnd - this.#earliestStart);
    const estimated = this.#latestEnd + this.#ahead - lag;
    const oldest = now >= this.#caughtUpAt ? sent - longestUtterance - lag : 0;
    const stored = Math.max(
      0,
      oldest,
      Number.isFinite(least) ? least : 0,
      Number.isFinite(estimated) ? estimated : 0,
    );
    return Math.floor(this.first + Math.min(stored, sent) / frameSeconds);
  }
}
