import { CochleaError, reasonOf } from '../errors/index.js';

/** Ms that the server may take. */
const timeout = 5000;

/**
 * Asks a server with the protocol of LibreTranslate for its languages, which costs nothing and needs no key: whether it is there.
 * @param url as in `LIBRETRANSLATE_URL`.
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
