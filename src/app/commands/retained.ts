import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { safeJson, visibleLine } from '../../cli/output/index.js';
import { loadSettings } from '../../config/index.js';
import { dataDirectory } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import { dropRetained, type RetainedDetails, retainedDetails } from '../../store/conversations/index.js';
import { retryJobs } from '../../store/jobs/index.js';
import { openArchive, type RetainedArchive, type RetainedEntry } from '../../stt/retained/index.js';
import { withDatabase } from '../database/index.js';
import { action, type JsonOption } from '../process/index.js';

interface ListOptions extends JsonOption {
  readonly failed?: boolean;
}

interface PurgeOptions extends ListOptions {
  readonly olderThan?: number;
}

/** Printed fields of retained audio. They contain no speech. */
interface Row extends Omit<RetainedEntry, 'at'> {
  readonly at: string | null;
  readonly uid: string | null;
  readonly attempts: number;
  readonly error: string | null;
}

/** Prints lines with control characters made visible, because file names in the bucket may contain any characters. */
const print = (lines: readonly string[]): void => {
  process.stdout.write(lines.map((line) => `${visibleLine(line)}\n`).join(''));
};

const printJson = (value: unknown): void => {
  process.stdout.write(`${safeJson(value)}\n`);
};

/** Checks whether `name` identifies this audio, by its key or by its printed form. */
const isNamed = (entry: RetainedEntry, name: string): boolean =>
  entry.key === name || visibleLine(entry.key) === name;

const archiveOf = (): Promise<RetainedArchive> => {
  const settings = loadSettings().values;
  return openArchive(settings, join(dataDirectory(settings), 'audio'));
};

const rowOf = (entry: RetainedEntry, details: RetainedDetails | undefined): Row => ({
  ...entry,
  at: entry.at === undefined ? null : new Date(entry.at).toISOString(),
  uid: details?.uid ?? null,
  attempts: details?.attempts ?? 0,
  error: details?.error ?? null,
});

const lineOf = ({ key, failed, at, seconds, bytes, uid, attempts, error }: Row): string =>
  [
    key,
    failed ? 'failed' : 'waiting',
    at ?? '-',
    `${seconds.toFixed(1)} s`,
    `${bytes} bytes`,
    `attempts=${attempts}`,
    ...(uid === null ? [] : [`uid=${uid}`]),
    ...(error === null ? [] : [`error=${error}`]),
  ].join('  ');

const list = async ({ json, failed }: ListOptions): Promise<void> => {
  const entries = (await (await archiveOf()).list()).filter((entry) => !failed || entry.failed);
  const keys = entries.map(({ key }) => key);
  const details = await withDatabase(loadSettings().values, (sql) => retainedDetails(sql, keys));
  const rows = entries.map((entry) => rowOf(entry, details.get(entry.key)));
  if (json) return printJson(rows);
  const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
  print([...rows.map(lineOf), `${rows.length} files, ${seconds.toFixed(1)} s of audio.`]);
};

/** Selects the named entries of the archive. @throws CochleaError record_not_found for an unknown key. */
const named = (entries: readonly RetainedEntry[], keys: readonly string[]): RetainedEntry[] => {
  const unknown = keys.find((key) => !entries.some((entry) => isNamed(entry, key)));
  if (unknown !== undefined)
    throw new CochleaError('record_not_found', { kind: `Retained audio "${unknown}"` });
  return entries.filter((entry) => keys.some((key) => isNamed(entry, key)));
};

const retry = async (keys: readonly string[], { json }: JsonOption): Promise<void> => {
  const archive = await archiveOf();
  const entries = await archive.list();
  const wanted = keys.length === 0 ? entries.filter(({ failed }) => failed) : named(entries, keys);
  for (const { key } of wanted) await archive.putBack(key);
  const ids = wanted.map(({ key }) => `retained:${key}`);
  await withDatabase(loadSettings().values, (sql) => retryJobs(sql, ids));
  const again = wanted.map(({ key }) => key);
  if (json) return printJson(again);
  print([...again, `${again.length} files will be transcribed again.`]);
};

const purge = async (keys: readonly string[], { json, failed, olderThan }: PurgeOptions): Promise<void> => {
  if (keys.length === 0 && !failed && olderThan === undefined) {
    throw new CochleaError('command_incomplete', {
      why: 'The command does not say which audio to remove',
      how: 'Choose it with keys, --failed or --older-than.',
    });
  }
  const archive = await archiveOf();
  const entries = await archive.list();
  const before = olderThan === undefined ? Number.POSITIVE_INFINITY : Date.now() - olderThan * 86_400_000;
  const wanted = (keys.length === 0 ? entries : named(entries, keys)).filter(
    (entry) => (!failed || entry.failed) && (entry.at ?? 0) < before,
  );
  for (const { key } of wanted) await archive.remove(key);
  const gone = wanted.map(({ key }) => key);
  await withDatabase(loadSettings().values, (sql) => dropRetained(sql, gone));
  if (json) return printJson(gone);
  print([...gone, `${gone.length} files are removed.`]);
};

const days = (text: string): number => {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw new InvalidArgumentError('Not a number of days.');
  return number;
};

export const retainedCommand = (): Command =>
  new Command('retained')
    .description('retained audio: speech that could not be transcribed live')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea retained list
  $ cochlea retained list --failed --json
  $ cochlea retained retry                    all failed audio
  $ cochlea retained purge --failed --older-than 30

The sidecar of a running service transcribes retained audio and then removes it. Audio that failed several times stays until it is retried
or purged. Purged audio and its words are lost.`,
    )
    .addCommand(
      new Command('list')
        .description('list retained audio, the oldest first')
        .option('--failed', 'only failed audio')
        .option('--json', 'print JSON')
        .action(action(list)),
    )
    .addCommand(
      new Command('retry')
        .description('retry failed audio')
        .argument('[key...]', 'keys as listed; default: all failed audio')
        .option('--json', 'print JSON')
        .action(action(retry)),
    )
    .addCommand(
      new Command('purge')
        .description('remove retained audio for good')
        .argument('[key...]', 'keys as listed; default: all audio that matches the options')
        .option('--failed', 'only failed audio')
        .option('--older-than <days>', 'only audio retained earlier than this many days ago', days)
        .option('--json', 'print JSON')
        .action(action(purge)),
    );
