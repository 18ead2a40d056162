import type { Io } from '../terminal/index.js';

export interface Progress {
  count(records: number): void;
  stop(): void;
}

const none: Progress = { count: () => undefined, stop: () => undefined };

/** Shows the number of records read so far on a terminal. Shows nothing if standard error is not a terminal. */
export const startProgress = async ({ stderr, env }: Io, asked: boolean): Promise<Progress> => {
  if (!asked || !stderr.isTTY || env.TERM === 'dumb') return none;
  const { spinner } = await import('@clack/prompts');
  const shown = spinner({ output: stderr, withGuide: false });
  shown.start('Reading');
  return {
    count: (records) => shown.message(`Reading: ${records}`),
    stop: () => shown.clear(),
  };
};
