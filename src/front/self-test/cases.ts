import { nodeLimits } from '../node/index.js';

/** A legal request that every HTTP listener must answer. It uses nothing specific to this product. */
export interface LegalRequest {
  /** Whether the request is a WebSocket upgrade. */
  readonly upgrades: boolean;
  /** Bytes of the request. Each element is sent as a separate network segment. */
  readonly segments: readonly Buffer[];
  /**
   * For each request in `segments`, the header fields that the handler must receive: names in lower case, values as
   * UTF-8.
   */
  readonly fields: readonly (readonly [name: string, value: string])[][];
}

/** A group of similar requests. `kind` is the name of the group, as a text for the operator. */
export interface LegalKind {
  readonly kind: string;
  readonly requests: readonly LegalRequest[];
}

type Field = readonly [name: string, value: string];

/** All characters that a header name may contain besides letters and digits (RFC 9110, section 5.6.2). */
export const rareNameCharacters = "!#$%&'*+-.^_`|~";

/** Path of the WebSocket. The test listener answers requests on all other paths. */
export const socketPath = '/socket';
const requestPath = '/request';

const host: Field = ['Host', 'localhost'];
const upgrade: readonly Field[] = [
  host,
  ['Upgrade', 'websocket'],
  ['Connection', 'Upgrade'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Sec-WebSocket-Version', '13'],
];

/** Returns the bytes of a request's head. Each character of a field's value is one byte (Latin-1). */
const headOf = (path: string, fields: readonly Field[]): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    'latin1',
  );

const seen = (fields: readonly Field[]): Field[] =>
  fields.map(([name, value]) => [name.toLowerCase(), Buffer.from(value, 'latin1').toString('utf8')]);

/** Returns a request whose head is sent in one segment. */
const whole = (upgrades: boolean, added: readonly Field[], path?: string): LegalRequest => {
  const fields = [...(upgrades ? upgrade : [host]), ...added];
  const head = headOf(path ?? (upgrades ? socketPath : requestPath), fields);
  return { upgrades, segments: [head], fields: [seen(fields)] };
};

const split = (request: LegalRequest, ...at: readonly number[]): LegalRequest => {
  const head = request.segments[0]!;
  const bounds = [0, ...at, head.length];
  return { ...request, segments: bounds.slice(1).map((end, index) => head.subarray(bounds[index], end)) };
};

const splitAtEveryByte = (request: LegalRequest): LegalRequest[] =>
  Array.from({ length: request.segments[0]!.length - 1 }, (_, index) => split(request, index + 1));

const byteByByte = (request: LegalRequest): LegalRequest =>
  split(request, ...Array.from({ length: request.segments[0]!.length - 1 }, (_, index) => index + 1));

const namesWith = (character: string): Field[] =>
  [`${character}a`, `a${character}b`, `a${character}`, `A${character}${character}9`].map((name) => [
    name,
    '1',
  ]);

const everyByte = (from: number, to: number): string =>
  String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index));

/** Number of characters in a header value. With such a value a head nearly has the maximum length of both listeners. */
const longValue = nodeLimits.headerBytes - 1000;
const manyFields: readonly Field[] = Array.from({ length: 64 }, (_, index) => [`x-${index}`, String(index)]);
const pipelined = 3;

const severalAtOnce = (): LegalRequest => {
  const { segments, fields } = whole(false, [['x-a', '1']]);
  return {
    upgrades: false,
    segments: [Buffer.concat(Array.from({ length: pipelined }, () => segments[0]!))],
    fields: Array.from({ length: pipelined }, () => fields[0]!),
  };
};

/** Returns all requests of the self-test. */
export const legalKinds = (): LegalKind[] => [
  {
    kind: 'rare header names',
    requests: [false, true].flatMap((upgrades) => [
      ...[...rareNameCharacters].map((character) => whole(upgrades, namesWith(character))),
      whole(
        upgrades,
        [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].map((name) => [name, '1']),
      ),
      whole(upgrades, [['n'.repeat(500), '1']]),
    ]),
  },
  {
    kind: 'rare header values',
    requests: [false, true].map((upgrades) =>
      whole(upgrades, [
        ['x-visible', everyByte(0x21, 0x7e)],
        ['x-beyond-ascii', everyByte(0x80, 0xff)],
        ['x-utf8', Buffer.from('Grüße, 東京').toString('latin1')],
        ['x-blanks', 'a \t b'],
        ['x-empty', ''],
      ]),
    ),
  },
  {
    kind: 'long heads',
    requests: [false, true].flatMap((upgrades) => [
      whole(upgrades, [['x-long', 'v'.repeat(longValue)]]),
      split(whole(upgrades, [['x-long', 'v'.repeat(longValue)]]), 3000, 9000),
      whole(upgrades, manyFields),
      whole(upgrades, [], `${upgrades ? socketPath : requestPath}?q=${'q'.repeat(4000)}`),
    ]),
  },
  { kind: 'requests behind one another', requests: [severalAtOnce(), ...splitAtEveryByte(severalAtOnce())] },
  {
    kind: 'heads in pieces',
    requests: [false, true].flatMap((upgrades) => {
      const one = whole(upgrades, [['x-a', '1']]);
      return [...splitAtEveryByte(one), byteByByte(one)];
    }),
  },
];
