/** A request that failed. */
export class Problem extends Error {
  /**
   * @param status of HTTP; 0 without a connection.
   * @param requestId identifies the request in the log of the service.
   * @param retryAfter seconds after which it may succeed.
   */
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | null = null,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

export interface Answer<Body> {
  readonly body: Body;
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

const detailOf = (body: unknown, status: number): string => {
  const detail = (body as { detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? detail : `The service answered with status ${status}`;
};

/** Called when the service does not know the session. */
export const onSignedOut: { call: () => void } = { call: () => undefined };

/** Returns the problem of an answer that is no success. */
export const problemOf = async (answer: Response): Promise<Problem> => {
  const body: unknown = await answer.json().catch(() => null);
  if (answer.status === 401) onSignedOut.call();
  const wait = answer.headers.get('retry-after');
  return new Problem(
    answer.status,
    detailOf(body, answer.status),
    answer.headers.get('x-request-id'),
    wait === null ? null : Number(wait),
  );
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
    throw new Problem(0, 'There is no connection to the service');
  }
  if (!answer.ok) throw await problemOf(answer);
  const body: unknown = await answer.json().catch(() => null);
  return { body: body as Body, next: answer.headers.get('x-next-cursor') };
};
