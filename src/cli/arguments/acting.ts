import type { Command } from 'commander';
import type { GlobalOptions, Session } from '../session/index.js';

/** What a command does: with its session, what its description gives, its arguments, and its own options last. */
type Action = (session: Session, ...given: never[]) => Promise<void>;

type Given<Run> = Run extends (session: Session, ...given: infer Parameters) => Promise<void>
  ? Parameters
  : never;

/** The first of these parameters, as many as a description gives. */
type First<Parameters extends readonly unknown[]> = Parameters extends [...infer Before, unknown]
  ? Parameters | First<Before>
  : [];

/**
 * Makes the function that commander calls of an action.
 * @param load imports the file of the action when the command runs.
 * @param name of the action in that file.
 * @param described what the action gets before the arguments of the command.
 */
export type Acting = <Actions, Name extends keyof Actions>(
  load: () => Promise<Actions>,
  name: Name,
  ...described: First<Given<Actions[Name]>>
) => (...given: unknown[]) => Promise<void>;

/** @param open makes the session from the flags in front of the command. */
export const actingWith =
  (open: (options: GlobalOptions) => Promise<Session>): Acting =>
  (load, name, ...described) =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const session = await open(command.optsWithGlobals<GlobalOptions>());
    const action = (await load())[name] as Action;
    await action(session, ...(described as never[]), ...(given.slice(0, -1) as never[]));
  };
