import { Command } from 'commander';
import {
  type LoadedSettings,
  loadSettings,
  type SettingName,
  settings,
  settingsSample,
} from '../../config/index.js';
import type { Setting } from '../../config/settings/index.js';
import { action, type JsonOption, print } from '../process/index.js';

/** A setting as the command prints it. */
export interface SettingRow {
  readonly name: string;
  /** The value of the setting. For a secret that is set, it is `********`. */
  readonly value: unknown;
  readonly origin: string;
  readonly unit?: string;
  readonly comment: string;
}

const mask = '********';

/** Returns all settings with their values and sources. Secrets are masked. */
export const settingRows = ({ values, origins }: LoadedSettings): SettingRow[] =>
  (Object.keys(settings) as SettingName[]).map((key) => {
    const { env, unit, comment, secret } = settings[key] as Setting;
    const value: unknown = values[key];
    const shown = secret && value !== '' ? mask : value;
    return { name: env, value: shown, origin: origins[key], ...(unit ? { unit } : {}), comment };
  });

const printSettings = async (options: JsonOption & { sample?: boolean }): Promise<void> => {
  if (options.sample) {
    process.stdout.write(settingsSample());
    return;
  }
  const rows = settingRows(loadSettings());
  const lines = rows.map(({ name, value, origin, unit, comment }) => {
    const text = Array.isArray(value) ? value.join(',') : String(value);
    return `${name}=${text}${unit ? ` ${unit}` : ''}  (${origin})  ${comment}`;
  });
  print(options, rows, [
    '# Settings of a start from this shell. A running engine keeps its own settings.',
    ...lines,
  ]);
};

export const settingsCommand = (): Command =>
  new Command('settings')
    .description(
      'print every setting with its value in this shell (not in a running service) and the source of the value',
    )
    .option('--json', 'print one JSON array')
    .option('--sample', 'print the commented sample file with all defaults')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea settings
  $ cochlea settings --json
  $ cochlea settings --sample > cochlea.env`,
    )
    .action(action(printSettings));
