import t from 'tap';
import { bearerToken } from '../../src/identity/bearer.js';

const cases: [header: string | undefined, token: string | null][] = [
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER  abc ', 'abc'],
  ['Bearer a.b-c_d~+/=', 'a.b-c_d~+/='],
  [undefined, null],
  ['', null],
  ['Bearer', null],
  ['Bearer ', null],
  ['abc', null],
  ['Bearerabc', null],
  ['Basic abc', null],
  ['Bearer abc def', null],
  ['Bearer abc Bearer def', null],
];

t.test('returns the only token after the scheme, or null', async (t) => {
  for (const [header, token] of cases) t.equal(bearerToken(header), token, JSON.stringify(header));
});
