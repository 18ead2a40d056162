import { type Command, CommanderError } from 'commander';
import { actingWith } from './arguments/index.js';
import { userProgram } from './program.js';
import { CommandFailure, exitCodes, type Io, write } from './terminal/index.js';

/**
 * Applies commander's settings to a command and its subcommands. Commander applies them by itself only to subcommands
 * that were created with `command()`.
 */
const configure = (command: Command, print: { out(text: string): void; err(text: string): void }): void => {
  command
    .exitOverride()
    .configureOutput({ writeOut: print.out, writeErr: print.err, outputError: () => undefined })
    .showSuggestionAfterError();
  for (const sub of command.commands) configure(sub, print);
};

/** Returns commander's message without its prefix. */
const usageText = (error: CommanderError): string =>
  error.message.replace(/^error: /, '').replace(/\n+/g, ' ');

/** Returns the line on standard error for a failure. */
const errorLine = async (error: unknown, json: boolean): Promise<string> => {
  const { plainText, safeJson } = await import('./output/plain-text.js');
  const message =
    error instanceof CommanderError
      ? usageText(error)
      : error instanceof Error
        ? error.message
        : String(error);
  if (!json) return `Error: ${plainText(message)}\n`;
  const detail = error instanceof CommandFailure ? error.detail : undefined;
  return `${safeJson({ error: message, ...(detail !== undefined && { detail }) })}\n`;
};

/**
 * Runs a command and resolves with its exit code.
 * @param argv words after the name of the command.
 * @param name name that the command was called by.
 */
export const run = async (argv: readonly string[], name: string, io: Io): Promise<number> => {
  const end = argv.indexOf('--');
  const json = argv.slice(0, end < 0 ? argv.length : end).includes('--json');
  const printed: string[] = [];
  const complained: string[] = [];
  const act = actingWith(async (options) => (await import('./session/session.js')).Session.open(io, options));
  const program = userProgram(name, act);
  configure(program, { out: (text) => printed.push(text), err: (text) => complained.push(text) });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCodes.done.code;
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.version') {
      await write(
        io.stdout,
        json ? `${JSON.stringify({ version: error.message }, null, 2)}\n` : `${error.message}\n`,
      );
      return exitCodes.done.code;
    }
    if (error instanceof CommanderError && error.exitCode === 0) {
      await write(io.stdout, printed.join(''));
      return exitCodes.done.code;
    }
    // The user named a group without a subcommand, and commander has printed the group's help.
    if (error instanceof CommanderError && error.code === 'commander.help') {
      await write(
        io.stderr,
        json ? await errorLine(new Error('A command is missing. See --help.'), true) : complained.join(''),
      );
      return exitCodes.refused.code;
    }
    // The types of answers come from the API's description. If the service's answer lacks a field of its type, the use
    // of that field throws a TypeError.
    if (error instanceof TypeError) {
      const failure = new CommandFailure(
        'unavailable',
        `The answer of the service is not as described: ${error.message}`,
      );
      await write(io.stderr, await errorLine(failure, json));
      return failure.exitCode;
    }
    await write(io.stderr, await errorLine(error, json));
    return error instanceof CommandFailure ? error.exitCode : exitCodes.refused.code;
  }
};
