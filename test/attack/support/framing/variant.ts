/** The type of a framing variant, and the requests that variants are built from. */
import type { Bytes } from '../raw-connection.js';
import type { Party } from '../target.js';

export const Verdict = {
  /** The named resource answers: neither closed without an answer nor refused for its form. */
  served: 'served',
  /** Refused for its form, or closed without an answer. Nothing more happens on the connection. */
  refused: 'refused',
  /** Either outcome, within the rules for all variants. */
  either: 'either',
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export interface Variant {
  readonly name: string;
  readonly pieces: readonly Bytes[];
  readonly verdict: Verdict;
  /** Largest number of answers; 1 when absent. */
  readonly most?: number;
  /** Methods of its requests, because some answers have no body. */
  readonly methods?: readonly string[];
  /** Every reading treats the inner request as a separate one, so its answer may arrive. */
  readonly innerAllowed?: boolean;
  /** It never becomes a complete request, so no answer is awaited. */
  readonly incomplete?: boolean;
}

/** Building blocks of variants. */
export interface Parts {
  /**
   * A complete request whose answer contains the attacker's marker. That answer proves that the request was executed.
   */
  readonly inner: string;
  /** The head of a request without its body. The next bytes on its connection would count as the body. */
  readonly trap: string;
  /** `Authorization` header line of the attacker. */
  readonly authorization: string;
  /** Path of a resource that takes a body. */
  readonly post: string;
  /** Path of a resource that takes no body and whose answer does not contain the marker. */
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

/** A body in one chunk, with the final chunk. */
export const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Formats a byte for test titles. */
export const byteName = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`;
