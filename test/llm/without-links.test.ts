/** No links or images remain in a language model's text, neither complete nor in parts. */
import fc from 'fast-check';
import t from 'tap';
import { answerWithoutLinks, LinkFilter, withoutLinks } from '../../src/llm/without-links.js';

/** The model's text, its input, and the text that remains. */
const cases: readonly (readonly [written: string, given: string, stays: string])[] = [
  ['Look at the [plan](https://evil.example/?q=secret) today.', '', 'Look at the plan today.'],
  ['A ![picture](https://evil.example/x.png "title") of it.', '', 'A picture of it.'],
  ['Both: [![alt](x.png)](y) and [more][ref].', '', 'Both: alt and more.'],
  ['[ref]: https://evil.example', '', '[ref] : '],
  ['See <https://evil.example/a> now', '', 'See  now'],
  ['<img src="https://evil.example/x"><b>Bold</b> <a href=x>text</a>', '', 'Bold text'],
  ['Ask at https://evil.example/?q=1, please.', '', 'Ask at , please.'],
  [
    'Ask at https://good.example/a, please.',
    'She said https://good.example/a.',
    'Ask at https://good.example/a, please.',
  ],
  ['Ask at https://good.example/a?q=1', 'She said https://good.example/a.', 'Ask at '],
  ['Ask at https://good.example/(secret)', 'https://good.example/', 'Ask at '],
  ['www.evil.example or WWW.evil.example', '', ' or '],
  ['Wikipedia: 3 < 4, a<b and i[0] = [1, 2].', '', 'Wikipedia: 3 < 4, a< b and i[0] = [1, 2].'],
  [
    'At 10:30, [Anna] said "no!" (twice): see e.g. AT&T.',
    '',
    'At 10:30, [Anna] said "no!" (twice): see e.g. AT&T.',
  ],
  ['ht[t](x)tps://evil.example', '', 'htt'],
  ['https:[/](x)/evil.example', '', 'https: / /evil.example'],
  ['htt[ps:](x)//evil.example', '', 'https: //evil.example'],
  ['https:<b></b>//evil.example', '', 'https: //evil.example'],
  ['w[w](x)w.evil.example', '', 'w w w.evil.example'],
  ['[[x]](b)(//evil.example)', '', '[x] (//evil.example)'],
  ['https&#58;//evil.example &lt;img&gt;', '', 'https& #58;//evil.example & lt;img& gt;'],
  ['https:\\/\\/evil.example', '', ''],
];

t.test('links of every kind', (t) => {
  for (const [written, given, stays] of cases) t.equal(withoutLinks(written, given), stays, written);
  t.end();
});

/** Returns a part that a Markdown or HTML renderer could turn into a link or an image. The rules are independent of the product. */
const renders = (text: string): string | undefined =>
  [
    /\]\(/,
    /\]\[/,
    /\]:/,
    /<[A-Za-z/!?]/,
    /[a-z0-9+.-]+:\/\//i,
    /(?:^|[\s*_~(])www\./i,
    /&(?:#\d+|#x[0-9a-f]+|[a-z]\w*);/i,
  ]
    .map((rule) => rule.exec(text)?.[0])
    .find((found) => found !== undefined);

const pieces = fc.constantFrom(
  ...[
    '[',
    ']',
    '(',
    ')',
    '!',
    '<',
    '>',
    ':',
    '/',
    '//',
    '://',
    'http',
    'https',
    'ht',
    'tps',
    'w',
    'ww',
    'www',
    '.',
  ],
  ...[
    '\\',
    '&',
    '#',
    '#58;',
    'lt;',
    ' ',
    '\n',
    'a',
    'img',
    'src="x"',
    'evil.example',
    '![a](b)',
    '[a](b)',
    '[a][b]',
    '<b>',
    '"',
  ],
);

t.test('whatever is written, nothing of it renders, and parts are as the whole', (t) => {
  const written = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(written, fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 20 }), (text, sizes) => {
      const whole = withoutLinks(text, '');
      const found = renders(whole);
      if (found !== undefined)
        throw new Error(`${JSON.stringify(found)} is left in ${JSON.stringify(whole)}`);
      const filter = new LinkFilter('');
      let shown = '';
      for (let at = 0, part = 0; at < text.length; part++) {
        const size = sizes[part % sizes.length]! + 1;
        shown += filter.push(text.slice(at, at + size));
        if (renders(shown) !== undefined) throw new Error(`${JSON.stringify(shown)} was shown`);
        at += size;
      }
      shown += filter.end();
      if (shown !== whole) throw new Error(`${JSON.stringify(shown)} is not ${JSON.stringify(whole)}`);
    }),
    { numRuns: 20_000 },
  );
  t.pass('held for all');
  t.end();
});

t.test('text without links stays as it is', (t) => {
  const plain = fc.stringMatching(/^[A-Za-z0-9 .,;()'"!?-]{0,200}$/);
  fc.assert(
    fc.property(plain, (text) => /www\./i.test(text) || withoutLinks(text, '') === text),
    { numRuns: 2000 },
  );
  t.pass('held for all');
  t.end();
});

const cpuOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

t.test('no answer decides how long it is looked at', (t) => {
  const cpu = (text: string): number => cpuOf(() => withoutLinks(text, text));
  for (const piece of ['[', '[](', '<a', '![a](', 'http://a', 'a', '&', ':/', '.', 'https://.', '[[a](b)']) {
    const of = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
    cpu(of(10_000));
    const once = Math.max(cpu(of(10_000)), 20_000);
    t.ok(cpu(of(80_000)) < 32 * once, piece);
  }
  t.end();
});

t.test('what a model was given is searched once for all addresses of an answer', (t) => {
  const given = 'it was said near a microphone '.repeat(10_000);
  const many = (text: string): string[] => Array.from({ length: 1000 }, () => text);
  const once = Math.max(
    cpuOf(() => answerWithoutLinks('https://evil.example', given)),
    10_000,
  );
  for (const [what, answer] of [
    ['of many texts', many('https://evil.example')],
    ['in the texts of links', many('[https://evil.example](b)').join(' ')],
  ] as const) {
    t.ok(cpuOf(() => answerWithoutLinks(answer, given)) < 20 * once, what);
  }
  t.end();
});

t.test('a word or an address without an end is not read anew with each part', (t) => {
  const inParts = (beginning: string, part: string, parts: number): void => {
    const filter = new LinkFilter('');
    filter.push(beginning);
    for (let index = 0; index < parts; index++) filter.push(part);
    filter.end();
  };
  for (const [beginning, part] of [
    ['', 'aaa'],
    ['https://', 'aaa'],
    ['[', 'aaa'],
    ['<', 'aaa'],
  ] as const) {
    const once = Math.max(
      cpuOf(() => inParts(beginning, part, 5000)),
      10_000,
    );
    t.ok(cpuOf(() => inParts(beginning, part, 40_000)) < 20 * once, `${beginning}${part}`);
  }
  t.end();
});
