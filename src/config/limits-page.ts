import { type FixedLimit, fixedLimits } from './limits/index.js';
import { loadSettings } from './load-settings.js';
import type { Setting } from './settings/index.js';
import { type SettingName, settings } from './settings.js';

const cell = (value: unknown): string => String(value).replace(/\|/g, '\\|');
const row = (...cells: readonly unknown[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** Maximum number of words in a table cell. */
const mostWords = 20;

/** Shortens a text for a table cell: keeps a short text, and of a long text only the first clauses. */
const shortened = (text: string): string => {
  const words = text.split(' ');
  if (words.length <= mostWords) return text;
  const fitting = words.slice(0, mostWords - 1);
  const endOf = (mark: RegExp): number => fitting.findLastIndex((word) => mark.test(word)) + 1;
  const shown = fitting.slice(0, endOf(/[.;]$/) || endOf(/[,:]$/) || fitting.length);
  return `${shown.join(' ').replace(/[.,;:]$/, '')} [...](#in-full)`;
};

/** Returns the text of `docs/limits.md`, made from the settings with limit texts and from the fixed limits. */
export const limitsPage = (): string => {
  const { values } = loadSettings({});
  const inFull: string[] = [];
  const describe = (name: string, text: string): void => {
    if (shortened(text) !== text) inFull.push(`- \`${name}\`: ${text}`);
  };
  const configured = (Object.keys(settings) as SettingName[]).flatMap((name) => {
    const { env, unit = '', comment, protects, client } = settings[name] as Setting;
    if (protects === undefined) return [];
    describe(env, comment);
    return [row(`\`${env}\``, values[name], unit, shortened(comment), protects, client)];
  });
  const fixed = Object.entries(fixedLimits as Record<string, FixedLimit>).map(
    ([name, { value, unit, bounds, protects, client }]) => {
      describe(name, bounds);
      return row(`\`${name}\``, value, unit, shortened(bounds), protects, client);
    },
  );
  return [
    '# Limits',
    '',
    'This page lists every limit. It is made by `node dist/src/config/limits-page.js > docs/limits.md` from',
    '`src/config/settings.ts` and `src/config/limits/limits.ts`; a test keeps page and code equal. The hourly limits of REST are in',
    '[`rest.md`](rest.md).',
    '',
    '- Each row describes what a client gets at the limit. Names such as `overloaded` are codes of [`errors.md`](errors.md), which has',
    '  the status or close code and the message that a client gets. `nothing` means no error and no message.',
    '- Limits by client address do not apply to connections from this machine without the header `X-Forwarded-For`, because they count',
    '  as a trusted proxy (`TRUSTED_PROXIES`). To test such a limit on this machine, send `X-Forwarded-For`.',
    '',
    '## Settings',
    '',
    'An operator can change these limits in the settings ([`operations.md`](operations.md#settings)).',
    '',
    '| setting | default | unit | meaning | what it protects | what a client gets at the limit |',
    '|---|---|---|---|---|---|',
    ...configured,
    '',
    '## Fixed',
    '',
    'These limits are constants of the program and cannot be set.',
    '',
    '| name | value | unit | meaning | what it protects | what a client gets at the limit |',
    '|---|---|---|---|---|---|',
    ...fixed,
    '',
    '## In full',
    '',
    'These are the full texts of cells that are shortened in the tables.',
    '',
    ...inFull,
    '',
  ].join('\n');
};

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(limitsPage());
