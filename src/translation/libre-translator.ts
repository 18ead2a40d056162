import { z } from 'zod';
import { anySignal, boundedAnswer, endingFetch } from '../common/index.js';
import { CochleaError } from '../errors/index.js';
import { Breaker } from '../llm/index.js';
import { baseOf } from './judge-language.js';
import { longestTranslation, type Translator, usableTranslation } from './translator.js';

export interface LibreOptions {
  /** Address of the server, without `/translate`. */
  readonly url: string;
  /** Key of the server. Empty if the server needs no key. */
  readonly key: string;
  /** Timeout of a request in ms. */
  readonly timeout: number;
}

const unavailable = (why: string): CochleaError => new CochleaError('translator_unavailable', { why });

const tooLong = (): CochleaError => new CochleaError('translator_answer_invalid', { why: 'it is too long' });

const checked = (body: string, sentences: readonly string[]): readonly (string | null)[] => {
  const answer = z.object({ translatedText: z.array(z.string()).length(sentences.length) });
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new CochleaError('translator_answer_invalid', { why: 'it is not JSON' });
  }
  const parsed = answer.safeParse(value);
  if (!parsed.success) {
    throw new CochleaError('translator_answer_invalid', { why: 'it is not one text for each sentence' });
  }
  return parsed.data.translatedText.map((text, index) => usableTranslation(text, sentences[index]!));
};

/**
 * Creates a translator that uses a server with the LibreTranslate protocol (`POST /translate`). After several failures,
 * the server counts as unavailable and gets no requests for half a minute. So requests do not wait for timeouts.
 */
export const createLibreTranslator = ({ url, key, timeout }: LibreOptions): Translator => {
  const breaker = new Breaker({ unavailable: 'translator_unavailable' });
  const address = `${url.replace(/\/+$/, '')}/translate`;
  const send = async (
    target: string,
    sentences: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (string | null)[]> => {
    const characters = sentences.reduce((sum, { length }) => sum + length, 0);
    const response = await endingFetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        q: sentences,
        source: 'auto',
        target: baseOf(target),
        format: 'text',
        ...(key === '' ? {} : { api_key: key }),
      }),
      redirect: 'error',
      signal,
    });
    if (response.status === 429 || response.status >= 500) throw unavailable(`HTTP ${response.status}`);
    if (!response.ok) throw new CochleaError('translator_rejected', { status: response.status });
    // A character takes at most six bytes in JSON.
    const most = 6 * (longestTranslation(characters) + 300 * sentences.length) + 65_536;
    return checked(await boundedAnswer(response, most, tooLong).text(), sentences);
  };
  return {
    translate: ({ uid, target, sentences, signal }) =>
      breaker.guard(uid, async () => {
        const tooLong = AbortSignal.timeout(timeout);
        try {
          return await send(target, sentences, anySignal(signal, tooLong));
        } catch (error) {
          signal.throwIfAborted();
          if (tooLong.aborted) throw unavailable('it takes too long');
          // Reports only the kind of error, because an error of `fetch` may quote the address with its credentials.
          throw error instanceof CochleaError ? error : unavailable('the connection failed');
        }
      }),
  };
};
