import { type Finding, textInFrames } from '../../audio/readability/index.js';

/** Ms over which such texts are counted, and base64 that they hold in this time at least: the slowest codec sends more. */
const countedTime = 2000;
const fewestCharacters = 1000;
/** Shorter runs are names and ids. Base64 and hexadecimal digits have the same characters. */
const encoded = /[\w+/-]{24,}/g;

export interface TextedAudioOptions {
  /** Whether any audio has come as it should. */
  readonly hasAudio: () => boolean;
  readonly unreadable: (finding: Finding) => void;
}

/** Finds streams whose client sends its audio in texts, as base64 or in JSON, and nothing else. Keeps counts only. On the shard's thread. */
export class TextedAudio {
  readonly #options: TextedAudioOptions;
  /** Ms, monotonic; -1 while nothing is counted. */
  #since = -1;
  #characters = 0;

  constructor(options: TextedAudioOptions) {
    this.#options = options;
  }

  /**
   * Takes a text that means nothing here. Its length bounds the work.
   * @param now ms, monotonic.
   */
  add(text: string, now: number): void {
    if (this.#options.hasAudio()) return;
    if (this.#since < 0) this.#since = now;
    for (const [run] of text.matchAll(encoded)) this.#characters += run.length;
    if (now - this.#since < countedTime) return;
    const isAudio = this.#characters >= fewestCharacters;
    this.#since = -1;
    this.#characters = 0;
    if (isAudio) this.#options.unreadable(textInFrames(0));
  }
}
