import type { StreamMessage } from './messages.js';

/** Maximum number of utterances, the latest ones, whose delays count. */
const counted = 9;

/**
 * Measures the time from the start of speech until its first words arrive. It reads the messages `speech_activity` and
 * `segments`.
 */
export class WordDelay {
  #began: number | undefined;
  readonly #delays: number[] = [];

  /** Takes a message of the engine. @param position ms of the end of the recording on its clock. */
  message(message: StreamMessage, position: number): void {
    if (message.type === 'speech_activity' && message.speaking) this.#began = message.at * 1000;
    if (message.type !== 'segments' || message.segments.length === 0 || this.#began === undefined) return;
    this.#delays.push(Math.max(0, position - this.#began));
    if (this.#delays.length > counted) this.#delays.shift();
    this.#began = undefined;
  }

  /** The median of the latest delays in s; null before the first delay. */
  get seconds(): number | null {
    const sorted = [...this.#delays].sort((a, b) => a - b);
    return sorted.length === 0 ? null : sorted[Math.floor(sorted.length / 2)]! / 1000;
  }
}
