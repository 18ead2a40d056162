import { type FixedLimit, fixedLimits } from './limits/index.js';
import { loadSettings } from './load-settings.js';
import type { Setting } from './settings/index.js';
import { type SettingName, settings } from './settings.js';

const cell = (value: unknown): string => String(value).replace(/\|/g, '\\|');
const row = (...cells: readonly unknown[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** The text of `docs/limits.md`, made from the settings with the words of a limit and from the fixed limits. */
export const limitsPage = (): string => {
  const { values } = loadSettings({});
  const configured = (Object.keys(settings) as SettingName[]).flatMap((name) => {
    const { env, unit = '', comment, protects, client } = settings[name] as Setting;
    if (protects === undefined) return [];
    return [row(`\`${env}\``, values[name], unit, comment, protects, client)];
  });
  const fixed = Object.entries(fixedLimits as Record<string, FixedLimit>).map(
    ([name, { value, unit, bounds, protects, client }]) =>
      row(`\`${name}\``, value, unit, bounds, protects, client),
  );
  return [
    '# Limits',
    '',
    'Made by `node dist/src/config/limits-page.js > docs/limits.md` from `src/config/settings.ts` and',
    '`src/config/limits/limits.ts`; a test keeps them equal.',
    '',
    'Names such as `overloaded` are codes of [`errors.md`](errors.md): a client sees the status or close code and the message',
    'that stands there. Limits by address do not count a trusted peer that names no client, which this machine is',
    '(`TRUSTED_PROXIES`): to try one here, send `X-Forwarded-For`. The hourly limits of REST are in [`rest.md`](rest.md).',
    '',
    '## Settings',
    '',
    '| setting | default | unit | what it bounds | what it protects | what a client sees |',
    '|---|---|---|---|---|---|',
    ...configured,
    '',
    '## Fixed',
    '',
    '| name | value | unit | what it bounds | what it protects | what a client sees |',
    '|---|---|---|---|---|---|',
    ...fixed,
    '',
  ].join('\n');
};

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(limitsPage());
