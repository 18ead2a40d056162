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

/** Number of samples in a message: 100 ms. */
const pieceSamples = providerRate / 10;
/** Pause in ms between two attempts to send while the provider's queue is full. */
const fullPause = 50;
/** Maximum number of characters in the text of an utterance. A longer text ends the connection. */
const longestText = 32_768;

/** Collects the words that a provider returns for one utterance, and detects the death of its connection. */
export class FinalWords {
  readonly #finals = new Map<string, ProviderWords>();
  readonly #died = deferred<never>();
  #length = 0;

  constructor() {
    this.#died.promise.catch(() => undefined);
  }

  /** Rejects with a ProviderError when the connection becomes unusable. */
  get died(): Promise<never> {
    return this.#died.promise;
  }

  /** All final words in spoken order. Events that a provider sends twice count once. */
  get text(): string {
    return [...this.#finals.values()]
      .sort((one, other) => one.start - other.start)
      .map(({ text }) => text)
      .join(' ');
  }

  /** Handles an event of the provider. Does not throw. */
  readonly take = (event: ProviderEvent): void => {
    if (event.kind === 'death') {
      this.#died.reject(new ProviderError(event.reason));
      return;
    }
    if (!('text' in event)) return;
    const { kind, text, start, end } = event;
    const key = `${start} ${end} ${text}`;
    if (kind !== 'final' || text.trim() === '' || this.#finals.has(key)) return;
    this.#length += text.length;
    if (this.#length > longestText) this.#died.reject(new ProviderError('bad_message'));
    else this.#finals.set(key, { text: text.trim(), start, end });
  };
}

export interface StreamedSpeechOptions {
  /** Ratio of the sending speed to real time. */
  readonly pace: number;
  /**
   * Time in ms within which the provider must accept a message. The provider must also confirm the end of the audio
   * within this time.
   */
  readonly timeout: number;
  /** Cancels the attempt. The returned promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/**
 * Sends recorded speech to a streaming provider and waits for its words. Then it closes the connection.
 * @param connect connects to the provider and passes the provider's events to the given `FinalWords`.
 * @param pcm mono, 16 kHz; only read.
 * @returns the words; empty if the provider found none.
 * @throws ProviderError when the provider failed before it had sent all words; errors of `connect`.
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
    // Closes a connection that opens after the attempt was cancelled.
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

/** Whether a provider can get recorded audio as a stream. */
export const takesStreamedSpeech = ({ capabilities }: Provider): boolean =>
  capabilities.audio !== 'utterances';
