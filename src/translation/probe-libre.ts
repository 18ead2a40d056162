import { CochleaError, reasonOf } from '../errors/index.js';

/** Maximum ms for the server's answer. */
const timeout = 5000;

/**
 * Checks whether a LibreTranslate server answers. Requests its list of languages, which costs nothing and needs no key.
 * @param url address of the server, as in `LIBRETRANSLATE_URL`.
 * @throws CochleaError `translator_unavailable`, `translator_rejected`
 */
export const probeLibreTranslate = async (url: string): Promise<void> => {
  const answer = await fetch(`${url.replace(/\/+$/, '')}/languages`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  }).catch((error: Error) => {
    throw new CochleaError('translator_unavailable', { why: reasonOf(error.cause ?? error) });
  });
  const { status } = answer;
  await answer.body?.cancel();
  if (status === 429 || status >= 500)
    throw new CochleaError('translator_unavailable', { why: `HTTP ${status}` });
  if (!answer.ok) throw new CochleaError('translator_rejected', { status });
};
