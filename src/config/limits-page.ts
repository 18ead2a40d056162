import { readdirSync } from 'node:fs';
import { type FixedLimit, fixedLimits } from './limits/index.js';
import { loadSettings } from './load-settings.js';
import type { Setting } from './settings/index.js';
import { type SettingName, settings } from './settings.js';

const cell = (value: unknown): string => String(value).replace(/\|/g, '\\|');
const row = (...cells: readonly unknown[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** Maximum number of words in a table cell. */
const mostWords = 20;

/** Shortens a text for a table cell. A short text stays unchanged; a long text is cut after a clause. */
const shortened = (text: string): string => {
  const words = text.split(' ');
  if (words.length <= mostWords) return text;
  const fitting = words.slice(0, mostWords - 1);
  const endOf = (mark: RegExp): number => fitting.findLastIndex((word) => mark.test(word)) + 1;
  const shown = fitting.slice(0, endOf(/[.;]$/) || endOf(/[,:]$/) || fitting.length);
  return `${shown.join(' ').replace(/[.,;:]$/, '')} [...](#in-full)`;
};

/**
 * Returns for each name the path of the source file that declares it. Loads the files of a folder next to this file.
 * `limits.ts` also exports the names of other files, so a name that several files export belongs to the file with the
 * fewest names.
 */
const declaringFiles = async (folder: 'settings' | 'limits'): Promise<ReadonlyMap<string, string>> => {
  const path = `src/config/${folder}`;
  const sources = readdirSync(new URL(`../../../${path}`, import.meta.url));
  const declared = await Promise.all(
    sources
      .filter((file) => file !== 'index.ts')
      .map(async (file) => {
        const built = new URL(`./${folder}/${file.replace(/\.ts$/, '.js')}`, import.meta.url);
        const exported = Object.values((await import(built.href)) as Record<string, unknown>);
        const tables = exported.filter((value) => typeof value === 'object' && value !== null);
        return { file: `${path}/${file}`, names: tables.flatMap((table) => Object.keys(table)) };
      }),
  );
  const files = new Map<string, string>();
  for (const { file, names } of declared.sort((a, b) => b.names.length - a.names.length))
    for (const name of names) files.set(name, file);
  return files;
};

/** A setting or limit, and its line on the page. */
interface Entry {
  readonly name: string;
  readonly line: string;
}

/** Groups lines by the file that declares their names, in the order in which the files first occur. */
const byFile = (
  entries: readonly Entry[],
  files: ReadonlyMap<string, string>,
): readonly (readonly [file: string, lines: readonly string[]])[] => {
  const groups = new Map<string, string[]>();
  for (const { name, line } of entries) {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no file declares ${name}`);
    groups.set(file, [...(groups.get(file) ?? []), line]);
  }
  return [...groups];
};

/** Writes a heading and a table for each file. */
const tablesOf = (heads: readonly string[], groups: ReturnType<typeof byFile>): readonly string[] =>
  groups.flatMap(([file, rows]) => [
    `### \`${file}\``,
    '',
    row(...heads),
    `|${'---|'.repeat(heads.length)}`,
    ...rows,
    '',
  ]);

/** Returns the name of a file and below it the words, in lines of at most 100 characters. */
const listed = ([file, words]: readonly [file: string, words: readonly string[]]): readonly string[] => {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > 100) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return [file, ...lines];
};

/** Returns the text of `docs/limits.md`, made from the settings with limit texts and from the fixed limits. */
export const limitsPage = async (): Promise<string> => {
  const { values } = loadSettings({});
  const inFull: string[] = [];
  const describe = (name: string, text: string): void => {
    if (shortened(text) !== text) inFull.push(`- \`${name}\`: ${text}`);
  };
  const settingNames = Object.keys(settings) as SettingName[];
  const configured = settingNames.flatMap((name): Entry[] => {
    const { env, unit = '', comment, protects, client } = settings[name] as Setting;
    if (protects === undefined) return [];
    describe(env, comment);
    return [{ name, line: row(`\`${env}\``, values[name], unit, shortened(comment), protects, client) }];
  });
  const fixed = Object.entries(fixedLimits as Record<string, FixedLimit>).map(
    ([name, { value, unit, bounds, protects, client }]): Entry => {
      describe(name, bounds);
      return { name, line: row(`\`${name}\``, value, unit, shortened(bounds), protects, client) };
    },
  );
  const filesOfSettings = await declaringFiles('settings');
  const environment = settingNames.map((name): Entry => ({ name, line: settings[name].env }));
  const heads = ['value', 'unit', 'meaning', 'what it protects', 'what a client gets at the limit'];
  return [
    '# Limits',
    '',
    'This page lists every limit, below the name of the file that declares it. It is made by',
    '`node dist/src/config/limits-page.js > docs/limits.md` from these files; a test keeps page and code equal. The hourly limits of REST',
    'are in [`rest.md`](rest.md).',
    '',
    '- Each row describes what a client gets at the limit. Names such as `overloaded` are codes of [`errors.md`](errors.md), which has',
    '  the status or close code and the message that a client gets. `nothing` means no error and no message.',
    '- Limits by client address do not apply to connections from this machine without the header `X-Forwarded-For`, because they count',
    '  as a trusted proxy (`TRUSTED_PROXIES`). To test such a limit on this machine, send `X-Forwarded-For`.',
    '',
    '## Settings',
    '',
    'An operator can change these limits in the settings ([`operations.md`](operations.md#settings)). [Files of all',
    'settings](#files-of-all-settings) has the settings that limit no client, too.',
    '',
    ...tablesOf(['setting', 'default', ...heads.slice(1)], byFile(configured, filesOfSettings)),
    '## Fixed',
    '',
    'These limits are constants of the program and cannot be set.',
    '',
    ...tablesOf(['name', ...heads], byFile(fixed, await declaringFiles('limits'))),
    '## Files of all settings',
    '',
    'The code reads a setting by the key of its declaration, for example `MAX_TEXT` as `maxText`.',
    '',
    '```',
    ...byFile(environment, filesOfSettings).flatMap(listed),
    '```',
    '',
    '## In full',
    '',
    'These are the full texts of cells that are shortened in the tables.',
    '',
    ...inFull,
    '',
  ].join('\n');
};

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(await limitsPage());
