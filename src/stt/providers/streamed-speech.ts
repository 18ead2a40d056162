import { setTimeout as pause } from 'node:timers/promises';
import { deferred } from '../../common/index.js';
import {
  type Provider,
  ProviderError,
  type ProviderEvent,
  type ProviderStream,
  type ProviderWords,
  providerRate,
} from '../shared/index.js';
import { closeStream, isAudioStream } from './connect-once.js';

/** Samples of a message: 100 ms. */
const pieceSamples = providerRate / 10;
/** Ms between two tries to send what a provider had no place for. */
const fullPause = 50;
/** Characters of the words of one utterance; a provider that tells more is given up. */
const longestText = 32_768;

/** The words that a provider tells of one utterance, and how its connection ends. */
export class FinalWords {
  readonly #finals = new Map<string, ProviderWords>();
  readonly #died = deferred<never>();
  #length = 0;

  constructor() {
    this.#died.promise.catch(() => undefined);
  }

  /** Rejects with a ProviderError when the connection is of no use any more. */
  get died(): Promise<never> {
    return this.#died.promise;
  }

  /** All final words in the order in which they were spoken; what was told twice stands once. */
  get text(): string {
    return [...this.#finals.values()]
      .sort((one, other) => one.start - other.start)
      .map(({ text }) => text)
      .join(' ');
  }

  /** Takes what the provider tells. Does not throw. */
  readonly take = (event: ProviderEvent): void => {
    if (event.kind === 'death') {
      this.#died.reject(new ProviderError(event.reason));
      return;
    }
    if (event.kind === 'malformed') return;
    const { kind, text, start, end } = event;
    const key = `${start} ${end} ${text}`;
    if (kind !== 'final' || text.trim() === '' || this.#finals.has(key)) return;
    this.#length += text.length;
    if (this.#length > longestText) this.#died.reject(new ProviderError('bad_message'));
    else this.#finals.set(key, { text: text.trim(), start, end });
  };
}

export interface StreamedSpeechOptions {
  /** How many times as fast as it was spoken the audio is sent. */
  readonly pace: number;
  /** Ms in which the provider has to take a message, and in which it has to say at the end that it is done. */
  readonly timeout: number;
  /** Ends the attempt: the returned promise is rejected with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Sends recorded speech to a provider that takes audio as it is spoken, and waits for its words. The connection is closed in the end.
 * @param connect makes the connection; its events go to the words that it is given.
 * @param pcm mono 16 kHz; only read.
 * @returns the words, which are empty when the provider found none.
 * @throws ProviderError when the provider failed before it had told everything; what `connect` throws.
 */
export const streamSpeech = async (
  connect: (words: FinalWords) => Promise<ProviderStream>,
  pcm: Int16Array,
  { pace, timeout, signal }: StreamedSpeechOptions,
): Promise<string> => {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  const words = new FinalWords();
  const connecting = connect(words);
  const stream = await Promise.race([connecting, aborted]).catch((thrown: unknown) => {
    // What connects after all is not wanted any more.
    void connecting.then(closeStream, () => undefined);
    throw thrown;
  });
  if (!isAudioStream(stream)) throw new ProviderError('unusable');
  try {
    const waitFor = (milliseconds: number): Promise<unknown> =>
      Promise.race([words.died, pause(milliseconds, undefined, { signal })]);
    const began = performance.now();
    for (let at = 0; at < pcm.length; at += pieceSamples) {
      const due = began + (at * 1000) / (providerRate * pace);
      await waitFor(Math.max(0, due - performance.now()));
      const piece = pcm.subarray(at, at + pieceSamples);
      const latest = performance.now() + timeout;
      while (!stream.send(piece)) {
        if (performance.now() > latest) throw new ProviderError('send_failed');
        await waitFor(fullPause);
      }
    }
    if (!(await Promise.race([stream.finish(timeout), words.died, aborted])))
      throw new ProviderError('no_answer');
    return words.text;
  } finally {
    stream.close();
  }
};

/** Whether audio can be sent to a provider in this way. */
export const takesStreamedSpeech = ({ capabilities }: Provider): boolean =>
  capabilities.audio !== 'utterances';
