/** Id of Whisper's first control token. Control tokens do not belong to a text. */
export const endOfText = 50_256;

/**
 * Maps the characters of GPT-2's byte spelling to bytes. Each byte is one printable character: printable Latin-1 bytes are themselves, and
 * the others are U+0100 and up, in order.
 */
const byteOfCharacter = (): Map<string, number> => {
  const bytes = new Map<string, number>();
  let beyond = 0;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    bytes.set(String.fromCodePoint(printable ? byte : 256 + beyond++), byte);
  }
  return bytes;
};

/**
 * Returns the bytes of each token of Whisper's vocabulary, by id. The bytes of one character may be distributed over several tokens.
 * @param vocabulary one token per line in GPT-2's byte spelling. The line number, from 0, is the id.
 * @throws Error if the vocabulary does not belong to an English-only Whisper model.
 */
export const whisperTokens = (vocabulary: string): Uint8Array[] => {
  const bytes = byteOfCharacter();
  const tokens = vocabulary.split('\n');
  const end = tokens.indexOf('<|endoftext|>');
  if (end !== endOfText) throw new Error(`not an English Whisper vocabulary: <|endoftext|> at line ${end}`);
  return tokens.slice(0, end).map((token, id) =>
    Uint8Array.from(token, (character) => {
      const byte = bytes.get(character);
      if (byte === undefined) throw new Error(`token ${id} holds a character outside the byte spelling`);
      return byte;
    }),
  );
};
