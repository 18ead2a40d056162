import { type Finding, textInFrames } from '../../audio/readability/index.js';

/** Length in ms of a period in which characters of base64 are counted. */
const countedTime = 2000;
/**
 * Minimum number of characters within `countedTime` that count as audio. Even the codec with the lowest bit rate sends
 * more characters.
 */
const fewestCharacters = 1000;
/** Matches a run of base64 or hexadecimal digits. Shorter runs are names and ids. */
const encoded = /[\w+/-]{24,}/g;

export interface TextedAudioOptions {
  /** Whether the stream has sent binary audio. */
  readonly hasAudio: () => boolean;
  readonly unreadable: (finding: Finding) => void;
}

/**
 * Detects a client that sends audio only in text messages, as base64 or JSON. It stores counts and no text. Use it
 * on the shard's thread.
 */
export class TextedAudio {
  /** Monotonic time (ms) at which the current period began; -1 before the first period. */
  #since = -1;
  #characters = 0;

  constructor(private readonly options: TextedAudioOptions) {}

  /**
   * Adds a text message that the engine does not understand. The work is proportional to the length of the text.
   * @param now ms, monotonic.
   */
  add(text: string, now: number): void {
    if (this.options.hasAudio()) return;
    if (this.#since < 0) this.#since = now;
    for (const [run] of text.matchAll(encoded)) this.#characters += run.length;
    if (now - this.#since < countedTime) return;
    const isAudio = this.#characters >= fewestCharacters;
    this.#since = -1;
    this.#characters = 0;
    if (isAudio) this.options.unreadable(textInFrames(0));
  }
}
