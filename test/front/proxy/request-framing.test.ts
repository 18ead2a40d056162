/** Tests which requests the front forwards, and the framing of their bodies. */
import * as fc from 'fast-check';
import t from 'tap';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { checkFields, framingOf, methodOf, targetOf } from '../../../src/front/proxy/request-framing.js';

type Fields = [string, string][];

const length = (value: string): [string, string] => ['content-length', value];
const encoding = (value: string): [string, string] => ['transfer-encoding', value];

t.test('accepts bodies with one clear length or encoding', async (t) => {
  t.same(framingOf('POST', []), { kind: 'none' });
  t.same(framingOf('POST', [length('0')]), { kind: 'none' });
  t.same(framingOf('POST', [length('007')]), { kind: 'length', bytes: 7 });
  t.same(framingOf('DELETE', [length('7')]), { kind: 'length', bytes: 7 });
  t.same(framingOf('PUT', [encoding('Chunked')]), { kind: 'chunked' });
  t.same(framingOf('GET', [length('0')]), { kind: 'none' });
});

const misleading: [title: string, method: string, fields: Fields][] = [
  ['length and encoding', 'POST', [length('3'), encoding('chunked')]],
  ['encoding and length', 'POST', [encoding('chunked'), length('3')]],
  ['two lengths that differ', 'POST', [length('3'), length('5')]],
  ['two equal lengths', 'POST', [length('3'), length('3')]],
  ['two encodings', 'POST', [encoding('chunked'), encoding('chunked')]],
  ...['', '+3', '-3', '0x3', '3, 3', '3 3', '3.0', '1e3', '9'.repeat(16), '\u00b3', 'three'].map(
    (value): [string, string, Fields] => [`length ${JSON.stringify(value)}`, 'POST', [length(value)]],
  ),
  ...[
    '',
    'identity',
    'xchunked',
    'chunked, identity',
    'gzip, chunked',
    'chunked;q=1',
    '"chunked"',
    'chunked\u00a0',
    // The Kelvin sign; its lower case is `k`.
    'chun\u212aed',
  ].map((value): [string, string, Fields] => [
    `encoding ${JSON.stringify(value)}`,
    'POST',
    [encoding(value)],
  ]),
  ...['GET', 'HEAD', 'OPTIONS'].flatMap((method): [string, string, Fields][] => [
    [`${method} with a body`, method, [length('1')]],
    [`${method} with a chunked body`, method, [encoding('chunked')]],
  ]),
];
for (const [title, method, fields] of misleading) {
  t.test(`refuses ${title}`, async (t) => {
    t.throws(() => framingOf(method, fields), { code: 'bad_request' });
  });
}

t.test('accepts usual methods and refuses others', async (t) => {
  for (const method of ['get', 'POST', 'Delete', 'options']) t.equal(methodOf(method), method.toUpperCase());
  for (const method of ['connect', 'trace', 'purge', '', 'get ']) {
    t.throws(() => methodOf(method), { code: 'method_not_allowed' }, method);
  }
});

t.test('accepts valid targets and refuses others', async (t) => {
  t.equal(targetOf('/a%20b', 'c=%C3%A9'), '/a%20b?c=%C3%A9');
  t.equal(targetOf('/a', ''), '/a');
  for (const path of [
    'a',
    '',
    '*',
    'http://x/',
    '/\u00e9',
    '/\ufffd',
    '/a b',
    '/a\u0000',
    '/\u4e00',
    '/\u007f',
  ]) {
    t.throws(() => targetOf(path, ''), { code: 'bad_request' }, JSON.stringify(path));
  }
  t.throws(() => targetOf('/', 'a=\u00e9'), { code: 'bad_request' });
});

const host: [string, string] = ['host', 'a'];
const refusedFields: [string, Fields][] = [
  ['no host', []],
  ['two hosts', [host, host]],
  ...['[', '[]', '[::1', '[::1]x', '::1', 'a]', 'a b', 'a/b', 'a@b', 'a?b', 'a:b', 'caf\u00e9'].map(
    (value): [string, Fields] => [`Host: ${value}`, [['host', value]]],
  ),
  ['a name with a blank', [host, ['x y', '1']]],
  ['an empty name', [host, ['', '1']]],
  ['a name beyond ASCII', [host, ['x\u00e9', '1']]],
  ['a control character', [host, ['x', 'a\u0001b']]],
  ['a carriage return', [host, ['x', 'a\rb']]],
  ['bytes that are not UTF-8', [host, ['x', 'a\ufffd']]],
  ...[
    'content-length',
    'Transfer-Encoding',
    'close, content-length',
    'x,\tHOST',
    'authorization',
    'keep-alive, X-Forwarded-For',
    'forwarded',
  ].map((value): [string, Fields] => [`Connection: ${value}`, [host, ['connection', value]]]),
];
for (const [title, fields] of refusedFields) {
  t.test(`refuses ${title}`, async (t) => {
    t.throws(() => checkFields(fields), { code: 'bad_request' });
  });
}

t.test('accepts ordinary fields', async (t) => {
  t.doesNotThrow(() =>
    checkFields([
      host,
      ['connection', 'keep-alive, X-Mine'],
      ['x-name', 'caf\u00e9 \u4e00 \u{1f600}\t!'],
      ['cookie', 'a=1'],
      ['cookie', ''],
    ]),
  );
});

t.test('accepts ordinary hosts', async (t) => {
  for (const value of [
    '',
    'a',
    'a_b.example:8080',
    '127.0.0.1:80',
    '[::1]',
    '[2001:db8::1]:443',
    'a%C3%A9:',
  ]) {
    t.doesNotThrow(() => checkFields([['host', value]]), value);
  }
});

t.test('refuses any request with a registered error or frames it unambiguously', async () => {
  const field = fc.tuple(
    fc.oneof(fc.constantFrom('content-length', 'transfer-encoding', 'host', 'connection', 'x'), fc.string()),
    fc.oneof(fc.constantFrom('chunked', '3', '0', 'close', 'content-length'), fc.string({ unit: 'binary' })),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('GET', 'POST', 'DELETE'),
      fc.array(field, { maxLength: 6 }),
      (method, fields) => {
        try {
          checkFields(fields);
          const framing = framingOf(method, fields);
          const announced = fields.filter(([name]) => /^(content-length|transfer-encoding)$/.test(name));
          if (announced.length > 1) return false;
          return (
            framing.kind !== 'length' ||
            announced[0]![1] === String(framing.bytes) ||
            /^0+/.test(announced[0]![1])
          );
        } catch (error) {
          return error instanceof CochleaError;
        }
      },
    ),
    { numRuns: 2000 },
  );
});
