import { Readable } from 'node:stream';
import { reasonOf } from '../errors/index.js';

export interface HttpLimits {
  /** Maximum ms until the head of the answer. It is short, so that a machine without a network tries other sources soon. */
  readonly connectTimeout: number;
  /** Maximum ms between two pieces of the body. */
  readonly idleTimeout: number;
}

export const httpLimits: HttpLimits = { connectTimeout: 5000, idleTimeout: 20_000 };

/**
 * Thrown if a server did not answer. The server gets no requests for other files, because each of them would wait for
 * the same timeout.
 */
export class Unreachable extends Error {}

/**
 * Opens a file on a web server as a stream.
 * @param bytes required size of the file. An answer with another declared length is refused.
 * @throws Unreachable with the network error; Error with the status or the wrong size. The stream fails if the server sends nothing for
 * `idleTimeout` ms.
 */
export const openHttp = async (
  url: string,
  bytes: number,
  limits: HttpLimits = httpLimits,
): Promise<Readable> => {
  // AbortSignal.timeout is not used, because its timer cannot be stopped after the head or restarted with every piece.
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(new Error('no answer')), limits.connectTimeout);
  const answer = await fetch(url, { signal: abort.signal, headers: { 'accept-encoding': 'identity' } })
    .catch((thrown: unknown) => {
      const cause = thrown instanceof Error ? thrown.cause : undefined;
      throw new Unreachable(reasonOf(cause ?? thrown), { cause: thrown });
    })
    .finally(() => clearTimeout(timer));
  const length = answer.headers.get('content-length');
  const { body } = answer;
  if (!answer.ok || !body || (length !== null && Number(length) !== bytes)) {
    abort.abort();
    throw new Error(answer.ok ? `${length ?? 0} bytes instead of ${bytes}` : `status ${answer.status}`);
  }
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    const reader = body.getReader();
    try {
      for (;;) {
        timer = setTimeout(() => abort.abort(new Error('the server stopped sending')), limits.idleTimeout);
        const { done, value } = await reader.read();
        clearTimeout(timer);
        if (done) return;
        yield value;
      }
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  };
  return Readable.from(pieces());
};
