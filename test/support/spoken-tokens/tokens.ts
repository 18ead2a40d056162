/** Tokens in speech: the lowest bits of the samples repeat a word of 32 bits with the number of the token. */

const bits = 32;
const marker = 0xa5;
/** Number of repetitions of the word that a reader wants. Noise is never read as a token. */
const wanted = 3;

const wordOf = (token: number): number =>
  ((marker << 24) | (token << 8) | ((token ^ (token >> 8) ^ 0x5a) & 0xff)) >>> 0;

/** Writes a token (0 to 65535) into all samples, in place. */
export const writeToken = (pcm: Int16Array, token: number): void => {
  const word = wordOf(token);
  for (let at = 0; at < pcm.length; at++) {
    const bit = (word >>> (bits - 1 - (at % bits))) & 1;
    pcm[at] = (pcm[at]! & ~1) | bit;
  }
};

/** A token and the samples in which it was read. */
export interface ReadToken {
  readonly token: number;
  readonly start: number;
  end: number;
}

/** Reads the tokens of audio that comes in pieces. */
export class TokenReader {
  #word = 0;
  #position = 0;
  readonly #seen = new Map<number, { count: number; first: number; last: number }>();

  /** @returns the tokens that the samples read so far contain, in order, each once. */
  read(pcm: Int16Array): ReadToken[] {
    for (const sample of pcm) {
      this.#word = ((this.#word << 1) | (sample & 1)) >>> 0;
      this.#position++;
      const token = (this.#word >>> 8) & 0xffff;
      if (this.#word !== wordOf(token)) continue;
      const seen = this.#seen.get(token) ?? { count: 0, first: this.#position - bits, last: 0 };
      this.#seen.set(token, { ...seen, count: seen.count + 1, last: this.#position });
    }
    return [...this.#seen]
      .filter(([, { count }]) => count >= wanted)
      .map(([token, { first, last }]) => ({ token, start: first, end: last }))
      .sort((a, b) => a.start - b.start);
  }
}

/** Returns the word that a provider answers for a token. */
export const textOf = (token: number): string => `token${token}`;

/** Returns the tokens in a text, in order. */
export const tokensIn = (text: string): number[] =>
  [...text.matchAll(/token(\d+)/g)].map(([, token]) => Number(token));
