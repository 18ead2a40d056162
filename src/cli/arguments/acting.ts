import type { Command } from 'commander';
import type { GlobalOptions, Session } from '../session/index.js';

/**
 * Function that does the work of a command. Its parameters are the session, the values of `described` in `Acting`, the
 * command's arguments, and finally the command's options.
 */
type Action = (session: Session, ...given: never[]) => Promise<void>;

type Given<Run> = Run extends (session: Session, ...given: infer Parameters) => Promise<void>
  ? Parameters
  : never;

/** Type of the first parameters of an action. These parameters get the values of `described` in `Acting`. */
type First<Parameters extends readonly unknown[]> = Parameters extends [...infer Before, unknown]
  ? Parameters | First<Before>
  : [];

/**
 * Creates the function that commander calls to run an action.
 * @param load imports the action's file when the command runs.
 * @param name name of the action in that file.
 * @param described values passed to the action before the command's arguments.
 */
export type Acting = <Actions, Name extends keyof Actions>(
  load: () => Promise<Actions>,
  name: Name,
  ...described: First<Given<Actions[Name]>>
) => (...given: unknown[]) => Promise<void>;

/** Returns an `Acting`. @param open creates the session from the global options of the command. */
export const actingWith =
  (open: (options: GlobalOptions) => Promise<Session>): Acting =>
  (load, name, ...described) =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const session = await open(command.optsWithGlobals<GlobalOptions>());
    const action = (await load())[name] as Action;
    await action(session, ...(described as never[]), ...(given.slice(0, -1) as never[]));
  };
