import { isDeepStrictEqual } from 'node:util';
import { authorizationOf, collection, type Operation, type PreparedRequest } from './operations.js';

interface Answer {
  readonly status: number;
  readonly cursor: string | null;
  readonly body: unknown;
}

/** Number of requests of each operation whose answers are compared. */
const compared = 20;

const answerOf = async (url: string, { method, path, headers, body }: PreparedRequest): Promise<Answer> => {
  const answer = await fetch(url + path, { method, headers, body });
  return {
    status: answer.status,
    cursor: answer.headers.get('x-next-cursor'),
    body: await answer.json(),
  };
};

/** Fields that two servers fill differently when they create equal records. */
const ownValues = new Set(['id', 'created_at', 'updated_at', 'scoring']);

const withoutOwnValues = (answer: Answer): Answer => ({
  ...answer,
  body: Object.fromEntries(Object.entries(answer.body as object).filter(([name]) => !ownValues.has(name))),
});

/** Returns further requests, which the load does not send: for a second page, and for a page with transcripts. */
const further = async (url: string): Promise<readonly PreparedRequest[]> => {
  const headers = authorizationOf(1);
  const get = (query: string) => ({ method: 'GET', path: `${collection}?${query}`, headers }) as const;
  const { cursor } = await answerOf(url, get('limit=3'));
  return [
    get(`limit=7&cursor=${cursor ?? ''}`),
    get('limit=25&include_transcript=true'),
    get('limit=100&offset=10&starred=true&categories=work,health'),
  ];
};

/**
 * Sends equal requests to two servers and compares the answers, including bodies and cursors.
 * @returns the number of compared answers.
 * @throws Error that names the first request with different answers.
 */
export const compareAnswers = async (
  urls: readonly [string, string],
  operations: readonly Operation[],
): Promise<number> => {
  const requests = [
    ...operations.flatMap((operation) => operation.requests.slice(0, compared)),
    ...(await further(urls[0])),
  ];
  for (const request of requests) {
    const [one, other] = await Promise.all(urls.map((url) => answerOf(url, request)));
    const made = request.method === 'POST';
    const same = made
      ? isDeepStrictEqual(withoutOwnValues(one!), withoutOwnValues(other!))
      : isDeepStrictEqual(one, other);
    if (!same || one!.status !== 200) {
      const shown = [one, other].map((answer) => JSON.stringify(answer).slice(0, 1500)).join('\n');
      throw new Error(`${request.method} ${request.path} is answered differently:\n${shown}`);
    }
  }
  return requests.length;
};
