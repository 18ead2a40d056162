/** Checks that all pages take their colours from the shared tokens, and that texts in these colours are readable. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { base, tokens } from '../../../src/console/style/index.js';
import { styleSheet } from '../../../src/sidecar/issuer/html.js';

const pages = join(packageDirectory(), 'src', 'console');
const consoleSheets = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .map((file) => [file, readFileSync(join(pages, file), 'utf8')] as const);
const accountSheet = styleSheet.replace(tokens, '').replace(base, '');
const sheets = [...consoleSheets, ['base', base], ['account pages', accountSheet]] as const;

const colourProperty =
  /(?:^|[;{\s])(?:color|background|background-color|fill|stroke|accent-color|(?:border|outline)(?!-radius)(?:-\w+)*|box-shadow|text-shadow)\s*:\s*([^;}]+)/g;
/** Parts of a property's value that are not colours. */
const neutral =
  /var\([^)]*\)|calc\([^)]*\)|\b(?:transparent|inherit|currentcolor|none|solid|dashed|[\d.]+(?:px|rem|em)?)\b|!important|\./gi;

/** Returns the colours that a style sheet states without a token. */
const ownColours = (text: string): string[] => [
  ...(text.match(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|lab|color-mix)\(/gi) ?? []),
  ...[...text.matchAll(colourProperty)].flatMap(([, value]) =>
    value!.replace(neutral, ' ').split(/\s+/).filter(Boolean),
  ),
];

t.test('the check finds colours', async (t) => {
  for (const rule of [
    'a { color: red; }',
    'a{border:1px solid gold}',
    'a { color: #abc; }',
    'a { fill: rgb(1 2 3); }',
  ])
    t.ok(ownColours(rule).length > 0, rule);
  t.same(ownColours('a { border: 1px solid var(--line); color: inherit; }'), []);
});

t.test('no style sheet has colours of its own', async (t) => {
  t.ok(consoleSheets.length >= 2);
  t.not(accountSheet, styleSheet, 'the account pages begin with the tokens');
  for (const [name, text] of sheets) t.same(ownColours(text), [], name);
});

const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name!));

t.test('each token is used, and each used token exists', async (t) => {
  const known = namesIn(tokens);
  const used = new Set(
    sheets.flatMap(([, text]) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!)),
  );
  t.same(
    [...used].filter((name) => !known.has(name)),
    [],
  );
  t.same(
    [...known].filter((name) => !used.has(name)),
    [],
  );
});

const [light = '', dark = ''] = tokens.split('@media');
const valuesIn = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/(--[\w-]+):\s*(#[0-9a-f]+)/g)].map(([, name, value]) => [name!, value!]));

/** Returns the relative luminance of a colour, as WCAG 2.2 defines it. */
const luminance = (hex: string): number => {
  const digits =
    hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1, 7).match(/../g)!;
  const [red, green, blue] = digits.map((pair) => {
    const share = Number.parseInt(pair, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
};

t.test('texts have a contrast of 4.5, and edges and the mark of the focus one of 3', async (t) => {
  const themes = { light: valuesIn(light), dark: new Map([...valuesIn(light), ...valuesIn(dark)]) };
  const speakers = [0, 1, 2, 3, 4, 5].map((place) => `--who-${place}`);
  const pairs: readonly (readonly [string, string, number])[] = [
    ...['--text', '--quiet', '--link', ...speakers].map((name) => [name, '--sheet', 4.5] as const),
    ['--text', '--ground', 4.5],
    ['--on-action', '--action', 4.5],
    ['--alert-text', '--alert', 4.5],
    ['--edge', '--sheet', 3],
    ['--alert-edge', '--alert', 3],
    ['--focus', '--sheet', 3],
    ['--focus', '--ground', 3],
  ];
  for (const [theme, values] of Object.entries(themes))
    for (const [one, other, least] of pairs) {
      const ratio = contrast(values.get(one)!, values.get(other)!);
      t.ok(ratio >= least, `${theme}: ${one} on ${other} has ${ratio.toFixed(2)}`);
    }
});
