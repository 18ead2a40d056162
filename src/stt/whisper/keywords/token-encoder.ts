/** Splits a text as the byte-pair encoding of GPT-2 does, which Whisper uses. Pairs are merged within a piece only. */
const pieces = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/**
 * Converts text to tokens of a Whisper model. The vocabulary lists merged tokens in the order in which they are merged, so
 * no other file is needed.
 */
export class TokenEncoder {
  /** Token ids by the bytes of a token. A key has one character for each byte. */
  readonly #ids = new Map<string, number>();

  /** @param vocabulary bytes of each token, by id. */
  constructor(vocabulary: readonly Uint8Array[]) {
    for (const [id, bytes] of vocabulary.entries()) this.#ids.set(Buffer.from(bytes).toString('latin1'), id);
  }

  /** Returns the tokens of a text. Undefined if the vocabulary lacks one of its bytes. */
  encode(text: string): number[] | undefined {
    const tokens: number[] = [];
    for (const [piece] of text.matchAll(pieces))
      for (const part of this.#merged([...Buffer.from(piece, 'utf8').toString('latin1')])) {
        const id = this.#ids.get(part);
        if (id === undefined) return undefined;
        tokens.push(id);
      }
    return tokens;
  }

  /**
   * Merges neighbours whose joined bytes are a token, those with the lowest id first. Ends when no neighbours can be
   * merged.
   */
  #merged(bytes: readonly string[]): string[] {
    const parts = [...bytes];
    for (;;) {
      let best = -1;
      let lowest = Number.POSITIVE_INFINITY;
      for (let index = 0; index + 1 < parts.length; index++) {
        const id = this.#ids.get(parts[index]! + parts[index + 1]!) ?? lowest;
        if (id >= lowest) continue;
        lowest = id;
        best = index;
      }
      if (best < 0) return parts;
      parts.splice(best, 2, parts[best]! + parts[best + 1]!);
    }
  }
}
