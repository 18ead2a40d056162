import type { EarlierTexts } from '../shared/index.js';

/** Texts of a stream that are kept, and streams of a client for which they are: a text is worth nothing once its utterance has ended. */
const mostTexts = 2;
const mostStreams = 256;

/** The tokens of the newest provisional texts of each stream, for those that follow. In the process of the transcription service. */
export class KeptTexts {
  readonly #clients = new WeakMap<object, Map<string, EarlierTexts>>();

  /** Of a client's stream, the newest first. */
  of(client: object, stream: string): EarlierTexts {
    return this.#clients.get(client)?.get(stream) ?? [];
  }

  keep(client: object, stream: string, tokens: readonly number[]): void {
    if (tokens.length === 0) return;
    const streams = this.#clients.get(client) ?? new Map<string, EarlierTexts>();
    this.#clients.set(client, streams);
    const texts = [tokens, ...(streams.get(stream) ?? [])].slice(0, mostTexts);
    // The newest is the last one, and the oldest gives way.
    streams.delete(stream);
    streams.set(stream, texts);
    const [oldest] = streams.keys();
    if (streams.size > mostStreams) streams.delete(oldest!);
  }

  /** The utterance has its final text. */
  forget(client: object, stream: string): void {
    this.#clients.get(client)?.delete(stream);
  }
}
