import type { SpeechModel } from './manifest/index.js';

/** The parts of a model that its vocabulary must match. */
type Expected = Pick<SpeechModel, 'languages' | 'shape' | 'tokens' | 'vocabulary'>;

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

/** Codes of languages that some vocabularies spell in an older way. */
const olderCodes: Readonly<Record<string, string>> = { he: 'iw', jv: 'jw' };

/** Returns the possible spellings of each control token that a model uses, by id. */
const controlTokens = ({ languages, tokens }: Expected): Map<number, readonly string[]> => {
  const { end, firstLanguage, noSpeech, noTimestamps, start, transcribe } = tokens;
  const spellings: [id: number, names: string[]][] = [
    [end, ['endoftext']],
    [start, ['startoftranscript']],
    [noSpeech, ['nospeech', 'nocaptions']],
    [noTimestamps, ['notimestamps']],
  ];
  if (transcribe !== null) spellings.push([transcribe, ['transcribe']]);
  if (firstLanguage !== null) {
    for (const [index, code] of languages.entries())
      spellings.push([firstLanguage + index, [code, olderCodes[code] ?? code]]);
  }
  return new Map(spellings.map(([id, names]) => [id, names.map((name) => `<|${name}|>`)]));
};

const listOf = (file: string, content: string): readonly unknown[] => {
  if (!file.endsWith('.json')) return content.replace(/\n$/, '').split('\n');
  const list: unknown = JSON.parse(content);
  return Array.isArray(list) ? list : [];
};

/**
 * Returns the bytes of each text token of a Whisper model, by id. The bytes of one character may be distributed over several tokens.
 * @param content of the vocabulary's file, as described at `vocabulary` of the manifest's schema.
 * @throws Error if the vocabulary does not belong to the model.
 */
export const whisperTokens = (content: string, model: Expected): Uint8Array[] => {
  const bytes = byteOfCharacter();
  const tokens = listOf(model.vocabulary, content);
  const { vocabulary } = model.shape;
  if (tokens.length !== vocabulary) throw new Error(`${tokens.length} tokens instead of ${vocabulary}`);
  for (const [id, spellings] of controlTokens(model)) {
    if (!spellings.includes(String(tokens[id]))) throw new Error(`token ${id} is not ${spellings[0]}`);
  }
  return tokens.slice(0, model.tokens.end).map((token, id) =>
    Uint8Array.from(String(token), (character) => {
      const byte = bytes.get(character);
      if (byte === undefined) throw new Error(`token ${id} holds a character outside the byte spelling`);
      return byte;
    }),
  );
};
