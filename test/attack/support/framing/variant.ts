/** What a framing variant is, and the requests that variants are built from. */
import type { Bytes } from '../raw-connection.js';
import type { Party } from '../target.js';

export const Verdict = {
  /** Answered by the resource it names: neither closed without an answer nor refused for its form. */
  served: 'served',
  /** Refused for its form, or closed without an answer; in both cases nothing more happens on the connection. */
  refused: 'refused',
  /** Either, within the limits that hold for all. */
  either: 'either',
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export interface Variant {
  readonly name: string;
  readonly pieces: readonly Bytes[];
  readonly verdict: Verdict;
  /** Answers it may get at most; 1 when absent. */
  readonly most?: number;
  /** Methods of the requests in it, for answers without a body. */
  readonly methods?: readonly string[];
  /** The request within it is one of its own by every reading, so its answer may come. */
  readonly innerAllowed?: boolean;
  /** It never becomes a whole request: no answer is waited for. */
  readonly incomplete?: boolean;
}

/** The parts that variants are made of. */
export interface Parts {
  /** A whole request whose answer carries the attacker's marker: seeing that answer proves that it was understood. */
  readonly inner: string;
  /** The head of a request with a body, still waiting for the body: what comes next on its connection would be taken for it. */
  readonly trap: string;
  /** `Authorization` line of the attacker. */
  readonly authorization: string;
  /** Path of a resource that takes a body. */
  readonly post: string;
  /** Path of a resource that takes none, and whose answer does not carry the marker. */
  readonly get: string;
}

export const partsOf = (attacker: Party): Parts => {
  const authorization = `Authorization: Bearer ${attacker.key}\r\n`;
  const get = `/v1/dev/user/conversations/${attacker.conversation}?include_transcript=true`;
  const post = '/v1/dev/user/conversations/from-segments';
  return {
    inner: `GET ${get} HTTP/1.1\r\nHost: inner\r\n${authorization}\r\n`,
    trap: `POST ${post} HTTP/1.1\r\nHost: trap\r\n${authorization}Content-Length: 600\r\n\r\n`,
    authorization,
    post,
    get: '/v1/dev/key',
  };
};

/** A head without its final empty line. @param lines header lines after `Host`, without line ends. */
export const head = (method: string, target: string, lines: readonly string[] = []): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: cochlea', ...lines].map((line) => `${line}\r\n`).join('');

/** A body in one chunk, ended. */
export const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** A byte as a test names it. */
export const byteName = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`;
