import { joinKeywords } from '../../wire/index.js';

/**
 * Custom words of one stream: the words of the client first, then the words of the user. They are private, so they are
 * never logged.
 */
export class StreamKeywords {
  #ofUser: readonly string[] = [];
  /**
   * The words of the client and of the user, joined; undefined after a change. A client may change its words often, so
   * they are joined only when needed.
   */
  #all: readonly string[] | undefined;

  /** @param ofStream words that the client gave when it opened the stream, within the limits of `readKeywords`. */
  constructor(private ofStream: readonly string[]) {}

  /** The words to send with the next utterance, at most `keywordBounds.words`. */
  get all(): readonly string[] {
    this.#all ??= joinKeywords(this.ofStream, this.#ofUser);
    return this.#all;
  }

  /** Replaces the words of the client. The words of the user stay. @param words within the limits of `readKeywords`. */
  replace(words: readonly string[]): void {
    this.ofStream = words;
    this.#all = undefined;
  }

  /** Sets the words of the user, as soon as they are known. */
  useOf(user: readonly string[]): void {
    this.#ofUser = user;
    this.#all = undefined;
  }
}
