import { deferred, within } from '../../common/index.js';
import {
  type AudioStream,
  type Provider,
  ProviderError,
  type ProviderEvent,
  type ProviderStream,
  type StreamRequest,
} from '../shared/index.js';
import type { ProviderHealth } from './health.js';

/**
 * Ms for which a new connection must not close before audio counts as accepted: some providers accept a connection and refuse
 * the stream, because of a quota for example, a moment later. Not for providers that take utterances: they are on this machine.
 */
const proof = 300;

export const isAudioStream = (stream: ProviderStream): stream is AudioStream => 'send' in stream;

export interface ConnectOnceOptions {
  readonly health: Pick<ProviderHealth, 'attempt'>;
  /** Ms that the attempt may take. */
  readonly timeout: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * One attempt to connect a stream, with its time-out, the circuit breaker and the proof that the connection lasts.
 * @param request takes the events of a connection that serves, and none of an attempt that failed.
 * @throws ProviderError; what the breaker throws when it is open (`ProviderHealth.isOpen`); CochleaError when the provider cannot be
 *   used as it is configured.
 */
export const connectOnce = (
  provider: Provider,
  { emit: serve, ...request }: Omit<StreamRequest, 'signal'>,
  { health, timeout, sleep }: ConnectOnceOptions,
): Promise<ProviderStream> =>
  health.attempt(provider.name, async () => {
    const abort = new AbortController();
    let isServing = false;
    const { promise: died, reject: die } = deferred<never>();
    died.catch(() => undefined);
    const emit = (event: ProviderEvent): void => {
      if (isServing) serve(event);
      else if (event.kind === 'death') die(new ProviderError(event.reason));
    };
    const connecting = provider.connect({ ...request, signal: abort.signal, emit });
    try {
      const stream = await within(Promise.race([connecting, died]), timeout, () => {
        throw new ProviderError('connect_timeout');
      });
      if (isAudioStream(stream)) await Promise.race([sleep(proof), died]);
      isServing = true;
      return stream;
    } catch (thrown) {
      abort.abort();
      // What connects after all is not wanted any more.
      void connecting.then(closeStream, () => undefined);
      throw thrown;
    }
  });

/** Gives a connection up, where it is one to a provider of audio. */
export const closeStream = (stream: ProviderStream): void => {
  if (isAudioStream(stream)) stream.close();
};
