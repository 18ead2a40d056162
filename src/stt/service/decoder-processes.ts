import { availableParallelism, totalmem } from 'node:os';

/** Memory of the machine for each decoder process. The process itself uses up to 600 MB; other parts need memory, too. */
const memoryEach = 2 * 2 ** 30;

interface Machine {
  readonly cores: number;
  /** Bytes that all processes together may use. */
  readonly memory: number;
}

const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  // The container's limit; 0, or larger than the machine, when there is none.
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
});

/**
 * Default number of decoder processes: cores minus one, but two on two cores, and at most one for each 2 GiB of memory.
 * Two processes decode twice as much as one. A process with two threads for one utterance is no faster and takes 1.7
 * times the CPU.
 * @param machine this machine, unless a test passes another.
 */
export const decoderProcesses = ({ cores, memory }: Machine = thisMachine()): number => {
  const byCores = Math.max(Math.min(cores, 2), cores - 1);
  // A machine sold with 4 GB has slightly less.
  return Math.max(1, Math.min(byCores, Math.round(memory / memoryEach)));
};
