import type { EarlierTexts } from '../shared/index.js';

/**
 * Maximum number of stored texts of each stream, and of streams of each client. A text is useless once its
 * utterance has ended.
 */
const mostTexts = 2;
const mostStreams = 256;

/**
 * Stores the tokens of each stream's newest interim texts, because they speed up later decodes. Used in the
 * transcription service's process.
 */
export class KeptTexts {
  readonly #clients = new WeakMap<object, Map<string, EarlierTexts>>();

  /** Returns the texts of a client's stream, newest first. */
  of(client: object, stream: string): EarlierTexts {
    return this.#clients.get(client)?.get(stream) ?? [];
  }

  keep(client: object, stream: string, tokens: readonly number[]): void {
    if (tokens.length === 0) return;
    const streams = this.#clients.get(client) ?? new Map<string, EarlierTexts>();
    this.#clients.set(client, streams);
    const texts = [tokens, ...(streams.get(stream) ?? [])].slice(0, mostTexts);
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
