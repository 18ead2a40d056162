import { availableParallelism, totalmem } from 'node:os';

/**
 * Memory of the machine, in bytes, that is required for each decoder process. A process itself uses up to 600 MB with
 * one small model. The rest is left for other programs.
 */
const memoryEach = 2 * 2 ** 30;

interface Machine {
  readonly cores: number;
  /** Number of bytes that all processes together may use. */
  readonly memory: number;
}

const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  // Uses the memory limit of the container. It is 0, or larger than the machine's memory, if there is no limit.
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
});

/**
 * Returns the default number of decoder processes: the number of cores minus one, or two on a machine with two cores.
 * There is at most one process for each 2 GiB of memory. Two processes decode twice as much speech in the same time as
 * one. Two threads for one utterance, within one process, would decode no faster and take 1.7 times the CPU.
 * @param machine this machine, unless a test passes another.
 */
export const decoderProcesses = ({ cores, memory }: Machine = thisMachine()): number => {
  const byCores = Math.max(Math.min(cores, 2), cores - 1);
  // Rounds to the nearest number, because a machine sold with 4 GB has slightly less.
  return Math.max(1, Math.min(byCores, Math.round(memory / memoryEach)));
};
