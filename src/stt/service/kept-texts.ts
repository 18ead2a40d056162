import type { EarlierTexts } from '../shared/index.js';

/** Maximum number of stored texts for each stream. A text is useless once its utterance has ended. */
const mostTexts = 2;
/** Maximum number of streams with stored texts for each client. */
const mostStreams = 256;

interface KeptText {
  /** Name of the model that decoded the text. */
  readonly model: string;
  readonly tokens: readonly number[];
}

/**
 * Stores the tokens of each stream's newest interim texts, because they speed up later decodes. Used in the
 * transcription service's process.
 */
export class KeptTexts {
  readonly #clients = new WeakMap<object, Map<string, readonly KeptText[]>>();

  /**
   * Returns the texts of a client's stream that a model decoded, newest first. Texts of other models are left out,
   * because each model numbers tokens differently.
   */
  of(client: object, stream: string, model: string): EarlierTexts {
    const texts = this.#clients.get(client)?.get(stream) ?? [];
    return texts.filter((text) => text.model === model).map(({ tokens }) => tokens);
  }

  keep(client: object, stream: string, text: KeptText): void {
    if (text.tokens.length === 0) return;
    const streams = this.#clients.get(client) ?? new Map<string, readonly KeptText[]>();
    this.#clients.set(client, streams);
    const texts = [text, ...(streams.get(stream) ?? [])].slice(0, mostTexts);
    // Moves the stream to the end of the map. If there are too many streams, the first stream of the map is
    // removed.
    streams.delete(stream);
    streams.set(stream, texts);
    const [oldest] = streams.keys();
    if (streams.size > mostStreams) streams.delete(oldest!);
  }

  /** Removes the texts of a stream once its utterance has a final text. */
  forget(client: object, stream: string): void {
    this.#clients.get(client)?.delete(stream);
  }
}
