import { availableParallelism, totalmem } from 'node:os';

/** Memory of the machine for each process that decodes: up to 600 MB are its own, and other parts need some, too. */
const memoryEach = 2 * 2 ** 30;

interface Machine {
  readonly cores: number;
  /** Bytes that this process and those beside it may use. */
  readonly memory: number;
}

const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  // The limit of a container; 0 or larger than the machine where there is none.
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
});

/**
 * How many processes decode where the operator does not say: one for each core but one, on two cores two, and one for each 2 GiB of memory.
 * Two processes decode twice as much as one; a process that uses two threads for one utterance is no faster and takes 1.7 times the CPU.
 * @param machine this one, unless a test names another.
 */
export const decoderProcesses = ({ cores, memory }: Machine = thisMachine()): number => {
  const byCores = Math.max(Math.min(cores, 2), cores - 1);
  // A machine that is sold with 4 GB has somewhat less.
  return Math.max(1, Math.min(byCores, Math.round(memory / memoryEach)));
};
