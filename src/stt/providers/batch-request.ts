import { getProxyForUrl } from 'proxy-from-env';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { anySignal } from '../../common/index.js';
import { audioForm, type DeathReason, ProviderError } from '../shared/index.js';
import type { BatchService } from './batch-recogniser.js';

/** Maximum size of the response to one utterance, in bytes. */
const longestAnswer = 1_048_576;
/** Connect timeout, ms. */
const connectTimeout = 10_000;

/** Maps an HTTP status to a reason. The body of an unsuccessful response is ignored. */
const reasonOfStatus = (status: number): DeathReason => {
  if (status === 401 || status === 403) return 'unusable';
  if (status === 402) return 'quota_exceeded';
  if (status === 429) return 'capacity_full';
  return status === 408 || status === 504 ? 'no_answer' : 'provider_error';
};

/**
 * Creates the HTTP dispatcher for a service. If the environment names a proxy for the address, the dispatcher uses
 * it. The caller closes the dispatcher.
 */
export const batchDispatcher = (url: URL): Dispatcher => {
  const proxy = getProxyForUrl(url.href);
  return proxy === '' ? new Agent({ connectTimeout }) : new ProxyAgent({ uri: proxy, connectTimeout });
};

export interface BatchRequest extends Pick<BatchService, 'url' | 'headers' | 'field' | 'fields'> {
  readonly dispatcher: Dispatcher;
  /** The audio as a WAV file. */
  readonly file: Buffer<ArrayBuffer>;
  /** Time in ms within which the complete response must arrive. */
  readonly timeout: number;
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

/** Reads the body of a response. @throws ProviderError bad_message when it is too long or not JSON */
const readAnswer = async (body: AsyncIterable<Buffer>): Promise<unknown> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > longestAnswer) throw new ProviderError('bad_message');
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as unknown;
  } catch {
    throw new ProviderError('bad_message');
  }
};

/**
 * Sends audio to a service in one request and reads the response. Does not follow redirects, because audio and key
 * may be sent only to the configured host.
 * @returns the parsed response, not validated.
 * @throws ProviderError without any content of the response.
 */
export const postAudio = async (options: BatchRequest): Promise<unknown> => {
  const { url, dispatcher, headers, field, fields, file, timeout, signal } = options;
  const { type, body: form } = audioForm(fields, field, file);
  const late = AbortSignal.timeout(timeout);
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: form,
      dispatcher,
      signal: anySignal(signal, late),
    });
    if (statusCode !== 200) {
      // Drops the connection, because the rest of the response may be endless.
      body.on('error', () => undefined).destroy();
      throw new ProviderError(reasonOfStatus(statusCode));
    }
    return await readAnswer(body);
  } catch (thrown) {
    if (thrown instanceof ProviderError) throw thrown;
    // A cancelled request must not count as a failure of the service. So its reason is `capacity_full`, which never
    // counts.
    if (signal.aborted) throw new ProviderError('capacity_full');
    throw new ProviderError(late.aborted ? 'no_answer' : 'refused');
  }
};
