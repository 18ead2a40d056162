import type { Command } from 'commander';
import type { GlobalOptions, Session } from '../session/index.js';

/** What a command does: its session, its arguments, and its own options last. */
export type Action<Arguments extends unknown[]> = (session: Session, ...given: Arguments) => Promise<void>;

/** Makes the function that commander calls of an action. */
export type Acting = <Arguments extends unknown[]>(
  action: Action<Arguments>,
) => (...given: [...Arguments, Command]) => Promise<void>;

/** @param open makes the session from the flags in front of the command. */
export const actingWith =
  (open: (options: GlobalOptions) => Promise<Session>): Acting =>
  <Arguments extends unknown[]>(action: Action<Arguments>) =>
  async (...given: [...Arguments, Command]) => {
    const command = given.at(-1) as Command;
    const session = await open(command.optsWithGlobals<GlobalOptions>());
    await action(session, ...(given.slice(0, -1) as Arguments));
  };
