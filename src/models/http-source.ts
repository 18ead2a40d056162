import { Readable } from 'node:stream';
import { reasonOf } from '../errors/index.js';

export interface HttpLimits {
  /** Ms until the answer's head must be there; short, so that a machine without a network moves on. */
  readonly connectTimeout: number;
  /** Ms between two pieces of the body. */
  readonly idleTimeout: number;
}

export const httpLimits: HttpLimits = { connectTimeout: 5000, idleTimeout: 20_000 };

/** Nobody answered: asking the same server for another file would only cost the time again. */
export class Unreachable extends Error {}

/**
 * Opens a file on a web server as a stream.
 * @param bytes size the file must have; another announced length is refused at once.
 * @throws Unreachable with the network's reason; Error with the status or the wrong size. The stream fails when the
 *   server falls silent.
 */
export const openHttp = async (
  url: string,
  bytes: number,
  limits: HttpLimits = httpLimits,
): Promise<Readable> => {
  // Not AbortSignal.timeout: its time cannot be stopped when the head is there, nor begin anew with every piece.
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
        timer = setTimeout(() => abort.abort(new Error('the server fell silent')), limits.idleTimeout);
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
