import { getProxyForUrl } from 'proxy-from-env';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { anySignal } from '../../common/index.js';
import { audioForm, type DeathReason, ProviderError } from '../shared/index.js';

/** Bytes that a service may answer about one utterance. */
const longestAnswer = 1_048_576;
/** Ms in which a service has to take the connection. */
const connectTimeout = 10_000;

/** What an HTTP status says. Nothing else of an answer that is no success is read. */
const reasonOfStatus = (status: number): DeathReason => {
  if (status === 401 || status === 403) return 'unusable';
  if (status === 402) return 'quota_exceeded';
  if (status === 429) return 'capacity_full';
  return status === 408 || status === 504 ? 'no_answer' : 'provider_error';
};

/** What sends requests to a service, through the proxy that the environment names for its address. The caller closes it. */
export const batchDispatcher = (url: URL): Dispatcher => {
  const proxy = getProxyForUrl(url.href);
  return proxy === '' ? new Agent({ connectTimeout }) : new ProxyAgent({ uri: proxy, connectTimeout });
};

export interface BatchRequest {
  readonly url: URL;
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the field of the form that has the audio. */
  readonly field: string;
  /** The other fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** A WAV file. */
  readonly file: Buffer<ArrayBuffer>;
  /** Ms until the whole answer is there. */
  readonly timeout: number;
  /** Gives the request up. */
  readonly signal: AbortSignal;
}

/** The body of an answer. @throws ProviderError bad_message for one that is too long, or no JSON. */
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
 * Sends audio to a service in one request, and reads what it answers. A redirect is not followed, because audio and key go to the named
 * host or nowhere.
 * @returns what the service said, of which nothing is known.
 * @throws ProviderError, which holds nothing of the answer.
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
      // Its connection is given up: what else it says may be without end.
      body.on('error', () => undefined).destroy();
      throw new ProviderError(reasonOfStatus(statusCode));
    }
    return await readAnswer(body);
  } catch (thrown) {
    if (thrown instanceof ProviderError) throw thrown;
    // Of a caller that has left nothing is learnt about the service, as of one that has no place.
    if (signal.aborted) throw new ProviderError('capacity_full');
    throw new ProviderError(late.aborted ? 'no_answer' : 'refused');
  }
};
