import { CochleaError, reasonOf } from '../errors/index.js';
import type { ModelOptions } from './model-options.js';

/** Maximum ms for the server's answer. */
const timeout = 5000;

/**
 * Checks whether the server answers and accepts the key. Requests the list of its models, which costs nothing. An answer without such a
 * list suffices too.
 * @throws CochleaError `llm_unavailable`, `llm_rejected`
 */
export const probeModel = async ({ baseUrl, key }: ModelOptions): Promise<void> => {
  const answer = await fetch(`${baseUrl}/models`, {
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  }).catch((error: Error) => {
    // `fetch` reports only "fetch failed"; its cause names the reason.
    throw new CochleaError('llm_unavailable', { why: reasonOf(error.cause ?? error) });
  });
  const { status } = answer;
  await answer.body?.cancel();
  if (status === 401 || status === 403) throw new CochleaError('llm_rejected', { status });
  if (status >= 500) throw new CochleaError('llm_unavailable', { why: `HTTP ${status}` });
};
