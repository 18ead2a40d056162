import { randomUUID } from 'node:crypto';
import type { CreateOptions } from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, readAll, refused } from '../terminal/index.js';

/** Steps that several commands share. Importing this file takes time, so it is imported only when a command runs. */

/**
 * Returns the header that makes a creation repeatable: a repeated request with this header creates no second record.
 */
export const creation = ({ idempotencyKey }: CreateOptions) => ({
  header: { 'idempotency-key': idempotencyKey ?? randomUUID() },
});

/** Reads a text from the command line, or from standard input for `-`. @throws CommandFailure `refused` for an empty text. */
export const textArgument = async ({ io }: Session, given: string, what: string): Promise<string> => {
  const text = given === '-' ? await readAll(io.stdin) : given;
  if (text.trim() === '') throw refused(`The ${what} is empty.`);
  return text;
};

/** Reads a JSON file, or standard input for `-`. @throws CommandFailure `refused` if it cannot be read. */
const jsonFile = async ({ io }: Session, path: string): Promise<unknown> => {
  const { readFile } = await import('node:fs/promises');
  let text: string;
  try {
    text = path === '-' ? await readAll(io.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    throw refused(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refused(`${path === '-' ? 'Standard input' : path} is not JSON.`);
  }
};

/**
 * Reads a list from a JSON file, or from standard input for `-`. The file contains the list itself, or an object with
 * the list as its property `name`.
 */
export const jsonList = async (session: Session, path: string, name: string): Promise<unknown> => {
  const given = await jsonFile(session, path);
  return Array.isArray(given) ? given : (given as Record<string, unknown> | null)?.[name];
};

/** Asks for confirmation of a deletion. @throws CommandFailure `interrupted` for a no, `refused` if no person can be asked. */
export const confirmed = async (
  { io }: Session,
  question: string,
  yes: boolean | undefined,
): Promise<void> => {
  if (yes) return;
  const { stdin, stderr } = io;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw refused(`${question} There is no terminal for the answer: add --yes.`);
  }
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false, input: stdin, output: stderr });
  if (answer !== true) throw new CommandFailure('interrupted', 'Aborted.');
};
