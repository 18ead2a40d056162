/** The type of a framing variant, and the requests that variants are built from. */
import type { Bytes } from '../raw-connection.js';
import type { Party } from '../target.js';

export const Verdict = {
  /** The resource must answer. Neither a close without an answer nor a refusal for framing is allowed. */
  served: 'served',
  /** The server must refuse the request for its framing, or close without an answer. Nothing more may happen on the connection. */
  refused: 'refused',
  /** The request may be served or refused, within the rules for all variants. */
  either: 'either',
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export interface Variant {
  readonly name: string;
  readonly pieces: readonly Bytes[];
  readonly verdict: Verdict;
  /** Maximum number of answers. Default: 1. */
  readonly most?: number;
  /** Methods of the variant's requests. The parser needs them because some answers have no body. */
  readonly methods?: readonly string[];
  /** Whether the answer to the inner request may arrive, because the inner request is a separate request by every reading. */
  readonly innerAllowed?: boolean;
  /** Whether the request never becomes complete. The judge then does not wait for an answer. */
  readonly incomplete?: boolean;
}

/** Parts of requests from which variants are built. */
export interface Parts {
  /** A complete request. Its answer contains the attacker's marker, which proves that the server executed the request. */
  readonly inner: string;
  /** The head of a request without its body. A server would read the next bytes on the connection as its body. */
  readonly trap: string;
  /** `Authorization` header line of the attacker. */
  readonly authorization: string;
  /** Path of a resource that accepts a body. */
  readonly post: string;
  /** Path of a resource that accepts no body. Its answer does not contain the marker. */
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

/** Returns a request head without its final empty line. @param lines header lines after `Host`, without line ends. */
export const head = (method: string, target: string, lines: readonly string[] = []): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: cochlea', ...lines].map((line) => `${line}\r\n`).join('');

/** Encodes a body as one chunk and the final chunk. */
export const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Formats a byte for titles of tests. */
export const byteName = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`;
