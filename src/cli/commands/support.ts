import { randomUUID } from 'node:crypto';
import type { CreateOptions } from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, readAll } from '../terminal/index.js';

/** Steps that several commands share. This file is loaded when a command runs. */

/** The header with which a creation can be repeated without making a second record. */
export const creation = ({ idempotencyKey }: CreateOptions) => ({
  header: { 'idempotency-key': idempotencyKey ?? randomUUID() },
});

/** A text of the command line, or of standard input for `-`. @throws CommandFailure `refused` for an empty one. */
export const textArgument = async ({ io }: Session, given: string, what: string): Promise<string> => {
  const text = given === '-' ? await readAll(io.stdin) : given;
  if (text.trim() === '') throw new CommandFailure('refused', `The ${what} is empty.`);
  return text;
};

/** A JSON file, or standard input for `-`. @throws CommandFailure `refused` when it cannot be read. */
const jsonFile = async ({ io }: Session, path: string): Promise<unknown> => {
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

/** A list of a JSON file, or of standard input for `-`: the file is the list, or an object that has it under its name. */
export const jsonList = async (session: Session, path: string, name: string): Promise<unknown> => {
  const given = await jsonFile(session, path);
  return Array.isArray(given) ? given : (given as Record<string, unknown> | null)?.[name];
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
