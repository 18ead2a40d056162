import { run } from './run.js';

/** Runs a command with the streams and variables of this process, and sets its exit code. */
export const runHere = async (argv: readonly string[], name: string): Promise<void> => {
  // A program that closes the output early, as in "cochlea-user memory list | head", must not cause an error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
  const { env, stdin, stdout, stderr } = process;
  process.exitCode = await run(argv, name, { env, stdin, stdout, stderr });
};
