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
 * Time in ms that a new audio connection must stay open before it counts as accepted. Some providers accept a
 * connection and refuse the stream a moment later, for example because of a quota. Providers that take complete
 * utterances run on this machine and need no such check.
 */
const proof = 300;

export const isAudioStream = (stream: ProviderStream): stream is AudioStream => 'send' in stream;

export interface ConnectOnceOptions {
  readonly health: Pick<ProviderHealth, 'attempt'>;
  /** Time in ms after which the attempt times out. */
  readonly timeout: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Makes one attempt to connect a stream, with a timeout, a circuit breaker and a check that the connection stays open.
 * @param request its `emit` gets the events of the connection if the attempt succeeds. A failed attempt sends no
 * events.
 * @throws ProviderError; the error of the circuit breaker if the breaker is open (`ProviderHealth.isOpen`);
 * CochleaError when the provider's configuration is unusable.
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
      // Closes a connection that opens after the attempt has failed.
      void connecting.then(closeStream, () => undefined);
      throw thrown;
    }
  });

/** Closes an `AudioStream`. Does nothing for a stream of utterances. */
export const closeStream = (stream: ProviderStream): void => {
  if (isAudioStream(stream)) stream.close();
};
