import { join } from 'node:path';
import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { dataDirectory } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import { importRejected, listRejected, type RejectedEntry, readRejected } from '../../journal/index.js';
import { withDatabase } from '../database/index.js';
import { action, type JsonOption, print } from '../process/index.js';

/** Printable fields of an entry: ids and counts, without transcript text. */
interface Row {
  readonly id: string;
  readonly at: string;
  readonly reason: string;
  readonly bytes: number;
  readonly kind: string;
  readonly conversations: readonly string[];
  readonly segments: number;
}

const spillDirectory = (): string => join(dataDirectory(loadSettings().values), 'spill');

const rowOf = (spillDir: string, entry: RejectedEntry): Row => {
  const content = readRejected(spillDir, entry);
  const base = { id: entry.id, at: entry.at.toISOString(), reason: entry.reason, bytes: entry.bytes };
  if (content === undefined) return { ...base, kind: 'unreadable', conversations: [], segments: 0 };
  if (content.kind !== 'commit') {
    const conversation = content.kind === 'begin' ? content.conversation.id : content.id;
    return { ...base, kind: content.kind, conversations: [conversation], segments: 0 };
  }
  return {
    ...base,
    kind: content.kind,
    conversations: content.changes.map(({ conversation }) => conversation.id),
    segments: content.changes.reduce((sum, { rows }) => sum + rows.length, 0),
  };
};

const shown = ({ id, at, reason, kind, segments, bytes, conversations }: Row): string =>
  `${id}  ${at}  ${reason}  ${kind}  ${segments} segments  ${bytes} bytes  ${conversations.join(',')}`;

const list = async ({ json }: JsonOption): Promise<void> => {
  const spillDir = spillDirectory();
  const entries = listRejected(spillDir);
  // Entries are read one at a time, because all together may exceed the memory of this command.
  if (json) {
    process.stdout.write('[');
    for (const [index, entry] of entries.entries())
      process.stdout.write(`${index === 0 ? '' : ','}${JSON.stringify(rowOf(spillDir, entry))}`);
    process.stdout.write(']\n');
    return;
  }
  for (const entry of entries) process.stdout.write(`${shown(rowOf(spillDir, entry))}\n`);
  process.stdout.write(`${entries.length} entries were set aside.\n`);
};

const bringIn = async (ids: readonly string[], { json }: JsonOption): Promise<void> => {
  const spillDir = spillDirectory();
  const kept = listRejected(spillDir);
  const unknown = ids.find((id) => !kept.some((entry) => entry.id === id));
  if (unknown !== undefined)
    throw new CochleaError('bad_request', { why: `No entry ${unknown} was set aside` });
  const wanted = ids.length === 0 ? kept : kept.filter(({ id }) => ids.includes(id));
  const outcomes =
    wanted.length === 0
      ? []
      : await withDatabase(loadSettings().values, (sql) => importRejected(sql, spillDir, wanted));
  const lines = outcomes.map(({ id, outcome, reason }) => [id, outcome, reason ?? []].flat().join('  '));
  print({ json }, outcomes, lines);
  if (outcomes.some(({ outcome }) => outcome !== 'imported')) process.exitCode = 1;
};

export const spillCommand = (): Command =>
  new Command('spill')
    .description('journal entries that were set aside because the database refused them')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea spill list
  $ cochlea spill import                         all of them
  $ cochlea spill import 001763801234567-5f...   one of them

Nothing of what was said is printed. The reason is a SQLSTATE: look it up in PostgreSQL's manual, remove the cause, then
import. Importing twice changes nothing.`,
    )
    .addCommand(
      new Command('list')
        .description('list entries, oldest first: id, time, reason, kind, size, conversations')
        .option('--json', 'print one JSON array')
        .action(action(list)),
    )
    .addCommand(
      new Command('import')
        .description('write entries to the database; accepted entries are removed from the folder')
        .argument('[id...]', 'ids; default: all')
        .option('--json', 'print one JSON array')
        .action(action(bringIn)),
    );
