import type { StreamMessage } from './messages.js';

/** Number of utterances whose delays count. */
const counted = 9;

/** Measures how long after the begin of speech its first words arrive. It reads the messages `speech_activity`. */
export class WordDelay {
  #began: number | undefined;
  readonly #delays: number[] = [];

  /** Notes a message. @param position ms of the end of the recording on its clock. */
  message(message: StreamMessage, position: number): void {
    if (message.type === 'speech_activity' && message.speaking) this.#began = message.at * 1000;
    if (message.type !== 'segments' || message.segments.length === 0 || this.#began === undefined) return;
    this.#delays.push(Math.max(0, position - this.#began));
    if (this.#delays.length > counted) this.#delays.shift();
    this.#began = undefined;
  }

  /** The middle one of the last delays, in s; null before the first. */
  get seconds(): number | null {
    const sorted = [...this.#delays].sort((a, b) => a - b);
    return sorted.length === 0 ? null : sorted[Math.floor(sorted.length / 2)]! / 1000;
  }
}
