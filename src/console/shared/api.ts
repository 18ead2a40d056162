import { signal } from '@preact/signals';
import { momentOf } from './format.js';

/** A request that failed. */
export class Problem extends Error {
  /**
   * @param status of HTTP; 0 without a connection.
   * @param message what went wrong, without a full stop.
   * @param requestId identifies the request in the log of the service.
   * @param retryAfter seconds after which the request may succeed.
   * @param remedy what the user can do, as a sentence.
   */
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | null = null,
    readonly retryAfter: number | null = null,
    readonly remedy: string | null = null,
  ) {
    super(message);
  }
}

/** Returns any error as a problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, error instanceof Error ? error.message : String(error));

export interface Answer<Body> {
  readonly body: Body;
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** When the connection to the service was lost, in ms since 1970; null with a connection. */
export const offlineSince = signal<number | null>(null);
/**
 * Counter that grows when the connection is back or the user has signed in again. Parts of a page whose requests failed
 * may then be read again.
 */
export const comeBack = signal(0);

interface ErrorBody {
  readonly detail?: unknown;
  readonly remedy?: unknown;
}

const isDeleting = (detail: unknown): boolean =>
  (detail as { readonly status?: unknown } | null)?.status === 'deleting';

const detailOf = (detail: unknown, status: number): string => {
  if (typeof detail === 'string') return detail.replace(/\.$/, '');
  if (isDeleting(detail)) return 'This account is being deleted';
  const found: unknown = Array.isArray(detail)
    ? (detail[0] as { msg?: unknown } | undefined)?.msg
    : undefined;
  return typeof found === 'string'
    ? `The service does not accept this: ${found}`
    : `The service answered with status ${status}`;
};

/** Called when the service does not know the session, and when the account is being deleted. */
export const onRefused: { call: (why: 'signed out' | 'deleting') => void } = { call: () => undefined };

/** Returns the problem that an unsuccessful answer contains. */
export const problemOf = async (answer: Response): Promise<Problem> => {
  const { status, headers } = answer;
  const body = (await answer.json().catch(() => null)) as ErrorBody | null;
  if (status === 401) onRefused.call('signed out');
  if (isDeleting(body?.detail)) onRefused.call('deleting');
  const wait = headers.get('retry-after');
  const seconds = wait === null || Number.isNaN(Number(wait)) ? null : Number(wait);
  const message =
    status === 429 && seconds !== null
      ? `Too many requests were sent. The service answers again at ${momentOf(Date.now() + seconds * 1000)}`
      : detailOf(body?.detail, status);
  const remedy = typeof body?.remedy === 'string' && status !== 429 ? body.remedy : null;
  return new Problem(status, message, headers.get('x-request-id'), seconds, remedy);
};

/**
 * Sends a request to the interface of the console.
 * @param path below `/console/api/`.
 * @param change the method and body of a request that changes data.
 * @throws Problem
 */
export const request = async <Body>(
  path: string,
  change?: { readonly method: 'POST' | 'PATCH' | 'DELETE'; readonly body?: object },
): Promise<Answer<Body>> => {
  let answer: Response;
  try {
    answer = await fetch(`/console/api/${path}`, {
      ...(change && {
        method: change.method,
        headers: {
          'x-cochlea-console': '1',
          ...(change.body && { 'content-type': 'application/json' }),
        },
        ...(change.body && { body: JSON.stringify(change.body) }),
      }),
    });
  } catch {
    offlineSince.value ??= Date.now();
    throw new Problem(0, 'There is no connection to the service');
  }
  if (offlineSince.peek() !== null) {
    offlineSince.value = null;
    comeBack.value++;
  }
  if (!answer.ok) throw await problemOf(answer);
  const body: unknown = await answer.json().catch(() => null);
  return { body: body as Body, next: answer.headers.get('x-next-cursor') };
};
