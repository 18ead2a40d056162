import { Readable } from 'node:stream';
import { reasonOf } from '../errors/index.js';

export interface HttpLimits {
  /** Timeout in ms for the head of the answer. Short, so that a machine without a network soon tries other sources. */
  readonly connectTimeout: number;
  /** Most ms between two pieces of the body. */
  readonly idleTimeout: number;
}

export const httpLimits: HttpLimits = { connectTimeout: 5000, idleTimeout: 20_000 };

/** The server did not answer. Other files are not requested from it, because each request would take as long. */
export class Unreachable extends Error {}

/**
 * Opens a file on a web server as a stream.
 * @param bytes required size of the file; an answer that announces another length is refused.
 * @throws Unreachable with the network error; Error with the status or the wrong size. The stream fails when the server
 * sends nothing for `idleTimeout`.
 */
export const openHttp = async (
  url: string,
  bytes: number,
  limits: HttpLimits = httpLimits,
): Promise<Readable> => {
  // Not AbortSignal.timeout, because that timer cannot be stopped after the head or restarted with every piece.
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
