import { randomUUID } from 'node:crypto';
import { answeredList, listed, type PageQuery, type Result } from '../api/index.js';
import type { CreateOptions, ListOptions } from '../arguments/index.js';
import type { Column } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, readAll } from '../terminal/index.js';

/** Steps that several commands share. This file is loaded when a command runs. */

export interface ListRequest<Item> {
  readonly columns: readonly Column[];
  /** Records of one page of the service, at most. */
  readonly page: number;
  readonly ask: (query: PageQuery) => Promise<Result<readonly Item[]>>;
  /** Leaves records out that the service has no filter for; then all pages are read. */
  readonly keep?: (item: Item) => boolean;
}

/** Reads a list and prints it: as a table or JSON when it is complete, or line by line. */
export const printList = async <Item>(
  { print, io }: Session,
  { limit, offset, all, jsonl }: ListOptions,
  { columns, page, ask, keep = () => true }: ListRequest<Item>,
  filtered = false,
): Promise<void> => {
  const most = all ? Number.POSITIVE_INFINITY : limit;
  const { startProgress } = await import('../output/progress.js');
  const progress = await startProgress(io, !print.json && !jsonl && (all === true || filtered));
  const rows: Item[] = [];
  let count = 0;
  try {
    for await (const item of listed(ask, { limit: filtered ? undefined : most, offset, page })) {
      if (!keep(item)) continue;
      count++;
      if (jsonl) await print.line(item);
      else rows.push(item);
      progress.count(count);
      if (count >= most) break;
    }
  } finally {
    progress.stop();
  }
  if (!jsonl) await print.list(rows, columns);
};

/** Prints what a search has found: the answer of the service as JSON, or its items as a table. */
export const printFound = async <Item>(
  { print }: Session,
  found: { readonly items: readonly Item[] },
  columns: readonly Column[],
): Promise<void> => {
  if (print.json) await print.record(found);
  else await print.list(answeredList({ data: found.items, response: new Response() }), columns);
};

/** The header with which a creation can be repeated without making a second record. */
export const creation = ({ idempotencyKey }: CreateOptions) => ({
  header: { 'idempotency-key': idempotencyKey ?? randomUUID() },
});

/** The fields that were given. @throws CommandFailure `refused` when there is none. */
export const changes = <Fields extends object>(fields: Fields): Fields => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (given.length === 0)
    throw new CommandFailure('refused', 'No fields to update. Add --help for the flags.');
  return Object.fromEntries(given) as Fields;
};

/** A text of the command line, or of standard input for `-`. @throws CommandFailure `refused` for an empty one. */
export const textArgument = async ({ io }: Session, given: string, what: string): Promise<string> => {
  const text = given === '-' ? await readAll(io.stdin) : given;
  if (text.trim() === '') throw new CommandFailure('refused', `The ${what} is empty.`);
  return text;
};

/** A JSON file, or standard input for `-`. @throws CommandFailure `refused` when it cannot be read. */
export const jsonFile = async ({ io }: Session, path: string): Promise<unknown> => {
  const { readFile } = await import('node:fs/promises');
  let text: string;
  try {
    text = path === '-' ? await readAll(io.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandFailure('refused', `${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CommandFailure('refused', `${path === '-' ? 'Standard input' : path} is no JSON.`);
  }
};

/** Asks before something is deleted. @throws CommandFailure `interrupted` for a no, `refused` where no person can be asked. */
export const confirmed = async (
  { io }: Session,
  question: string,
  yes: boolean | undefined,
): Promise<void> => {
  if (yes) return;
  const { stdin, stderr } = io;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new CommandFailure('refused', `${question} There is no terminal to ask on: add --yes.`);
  }
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false, input: stdin, output: stderr });
  if (answer !== true) throw new CommandFailure('interrupted', 'Aborted.');
};
