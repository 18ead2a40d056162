import { setTimeout as pause } from 'node:timers/promises';
import { anySignal, endingBody } from '../../common/index.js';
import { release } from '../../config/process/index.js';
import { CommandFailure } from '../terminal/index.js';
import { boundedText } from './bounded-body.js';
import type { Credential } from './credential.js';
import { sendThroughProxy } from './proxied-fetch.js';
import { waitBefore } from './retry-wait.js';

export interface TransportOptions {
  /** Credential of the requests; absent for requests without authentication. */
  readonly credential?: Credential;
  /** Called with a line about every answer. */
  readonly debug: (text: string) => Promise<void>;
  /** Called with warnings of the service, for example that `limit` exceeded its maximum. */
  readonly warn?: (text: string) => Promise<void>;
  /** Maximum ms from the start of a request to the end of its answer. */
  readonly timeout?: number;
  /** Environment with the variables that name proxies; absent: this process's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A service warning in a `Warning` header. */
const serviceWarning = /\b299 \S+ "([^"\\]{1,200})"/g;
const usualTimeout = 30_000;
const tries = 4;

/** Error codes of failures that happen before any byte of the request is sent. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Paths of POST requests that change nothing on the service. */
const reading = /\/v1\/dev\/user\/ask$/;

/** Checks whether a request can be repeated without a second effect, even if the service has executed it. */
const isRepeatable = ({ method, headers, url }: Request): boolean =>
  method === 'GET' ||
  (method === 'POST' && (headers.has('idempotency-key') || reading.test(new URL(url).pathname)));

const codesOf = (error: unknown): string[] => {
  const { code, cause, errors = [] } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...(cause ? codesOf(cause) : []),
    ...errors.flatMap(codesOf),
  ];
};

const isUnsent = (error: unknown): boolean => {
  const codes = codesOf(error);
  return codes.length > 0 && codes.some((code) => unsent.has(code));
};

const originOf = ({ url }: Request): string => new URL(url).origin;

const failed = (request: Request, error: unknown): CommandFailure => {
  if (error instanceof CommandFailure) return error;
  const why =
    (error as Error).name === 'TimeoutError' ? 'no answer in time' : (codesOf(error)[0] ?? 'no answer');
  if (!isUnsent(error) && !isRepeatable(request)) {
    return new CommandFailure(
      'unavailable',
      `${request.method} to ${originOf(request)}: ${why}. It may have been executed.`,
    );
  }
  return new CommandFailure('unavailable', `${originOf(request)} cannot be reached: ${why}`);
};

/**
 * Reads the complete body of an answer. Returns a `Response` with that body, because the generated client needs a
 * `Response`.
 */
const completed = async (
  request: Request,
  answer: Response,
  ends: readonly [signal: AbortSignal, ...sources: unknown[]],
): Promise<Response> => {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    await answer.body?.cancel();
    // The credential is sent only to the address that the user gave, so a redirect is not followed. The message omits
    // the address of the redirect, because that address may be misleading.
    throw new CommandFailure(
      'unavailable',
      `${originOf(request)} answers with a redirect (${status}), which is not followed. Check the base address.`,
    );
  }
  // Events are read as they arrive. `chatEvents` bounds their size.
  if (answer.ok && answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return new Response(answer.body && endingBody(answer.body, ...ends), {
      status,
      headers: plainHeaders(headers),
    });
  const text = await boundedText(answer);
  const body = status === 204 || text === '' ? null : text;
  if (answer.ok && body !== null) {
    try {
      JSON.parse(body);
    } catch {
      throw new CommandFailure(
        'unavailable',
        `${originOf(request)} answers something other than JSON. Check the base address.`,
      );
    }
  }
  return new Response(body, { status, headers: plainHeaders(headers) });
};

/** Removes headers that describe the encoded body, because the body is now decoded text. */
const plainHeaders = (headers: Headers): Headers => {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  return kept;
};

/**
 * Returns a function that sends requests. It replaces a refused credential once. After a rate limit it waits and
 * repeats the request, if the service requests a short pause.
 *
 * It repeats a failed request only if the repetition cannot have a second effect. Such requests are reads, creations
 * with an idempotency key, and requests that were never sent.
 */
export const transport = ({
  credential,
  debug,
  warn,
  timeout = usualTimeout,
  env = process.env,
}: TransportOptions) => {
  const once = async (request: Request, bearer: string | undefined): Promise<Response> => {
    const began = performance.now();
    const ending = AbortSignal.timeout(timeout);
    const signal = anySignal(request.signal, ending);
    const sent = new Request(request.clone(), { redirect: 'manual', signal });
    if (!sent.headers.has('accept')) sent.headers.set('accept', 'application/json');
    sent.headers.set('user-agent', `cochlea-user/${release}`);
    if (bearer !== undefined) sent.headers.set('authorization', `Bearer ${bearer}`);
    const send = await sendThroughProxy(env);
    const answer = await completed(sent, await send(sent), [signal, ending, request]);
    const { pathname, search } = new URL(request.url);
    const seconds = ((performance.now() - began) / 1000).toFixed(2);
    await debug(`${request.method} ${pathname}${search} -> ${answer.status} (${seconds} s)`);
    for (const [, text] of (answer.headers.get('warning') ?? '').matchAll(serviceWarning))
      await warn?.(text!);
    return answer;
  };

  return async (request: Request): Promise<Response> => {
    let bearer = await credential?.value();
    let replaced = false;
    for (let attempt = 1; ; ) {
      let wait: number | null;
      try {
        const answer = await once(request, bearer);
        if (answer.status === 401 && bearer !== undefined && !replaced) {
          replaced = true;
          const other = await credential!.instead(bearer);
          if (other === null) return answer;
          bearer = other;
          continue;
        }
        const again = answer.status === 429 || (answer.status >= 500 && isRepeatable(request));
        wait = again && attempt < tries ? waitBefore(attempt, answer.headers.get('retry-after')) : null;
        if (wait === null) return answer;
        await debug(`${answer.status}: once more in ${(wait / 1000).toFixed(1)} s`);
      } catch (error) {
        const again = !(error instanceof CommandFailure) && (isUnsent(error) || isRepeatable(request));
        wait = again && attempt < tries ? waitBefore(attempt, null) : null;
        if (wait === null) throw failed(request, error);
        await debug(`${codesOf(error)[0] ?? 'no answer'}: once more in ${(wait / 1000).toFixed(1)} s`);
      }
      attempt++;
      try {
        await pause(wait, undefined, { signal: request.signal });
      } catch (error) {
        throw failed(request, error);
      }
    }
  };
};
