import type { Decoded, EarlierTexts } from '../shared/index.js';
import { type SupervisorOptions, TranscriberSupervisor } from './decoder-supervisor.js';

export interface PoolOptions extends SupervisorOptions {
  /** Most processes. Each has its own copy of the speech model in memory. */
  readonly processes: number;
}

export interface PoolEvents {
  /** A process, numbered from 0, has loaded the model and accepts utterances. It decodes `together` at once. */
  ready(process: number, together: number): void;
  /** See `SupervisorEvents`. The other processes continue. */
  ended(process: number, byItself: boolean): void;
  /** No process accepts utterances, and none will be started. */
  unusable(): void;
  counted(): void;
  decoded(answer: Decoded): void;
}

/**
 * The decoder processes, each with its own supervisor. The first starts at once. Each further one starts when `grow` is
 * called and the one before has loaded its model. So a machine with little speech loads the model once. When a process
 * is unusable, the others do its work.
 */
export class DecoderPool {
  readonly #supervisors: TranscriberSupervisor[] = [];
  readonly #ready = new Set<number>();
  readonly #unusable = new Set<number>();
  /** Processes that have accepted utterances before. */
  readonly #proven = new Set<number>();

  constructor(
    private readonly options: PoolOptions,
    private readonly events: PoolEvents,
  ) {
    this.#start();
  }

  /** Number of processes that accept utterances. */
  get running(): number {
    return this.#ready.size;
  }

  /** Whether all allowed processes have started once, although one may be restarting. */
  get isComplete(): boolean {
    return this.#proven.size + this.#unusable.size >= this.options.processes;
  }

  /** Id of the first process that accepts utterances, else of one that is loading its model. */
  get pid(): number | undefined {
    const [first] = this.#ready;
    if (first !== undefined) return this.#supervisors[first]!.pid;
    return this.#supervisors.find(({ pid }) => pid !== undefined)?.pid;
  }

  /**
   * Starts another process because the running ones are fully loaded. Does nothing while one is loading its model, or
   * when the maximum is reached.
   */
  grow(): void {
    const begun = this.#supervisors.length;
    if (begun < this.options.processes && this.#ready.size + this.#unusable.size === begun) this.#start();
  }

  decode(process: number, job: number, pcm: Int16Array, earlier: EarlierTexts): void {
    this.#supervisors[process]!.decode(job, pcm, earlier);
  }

  /** Kills a process, the only way to abort a decode; `ended` follows. */
  kill(process: number): void {
    this.#supervisors[process]!.kill();
  }

  /** Ends all processes for good. Resolves when they are gone. */
  async close(): Promise<void> {
    await Promise.all(this.#supervisors.map((supervisor) => supervisor.close()));
  }

  #start(): void {
    const process = this.#supervisors.length;
    this.#supervisors.push(
      new TranscriberSupervisor(this.options, {
        ready: (together) => {
          this.#ready.add(process);
          this.#proven.add(process);
          this.events.ready(process, together);
        },
        ended: (byItself) => {
          this.#ready.delete(process);
          this.events.ended(process, byItself);
        },
        unusable: () => {
          this.#ready.delete(process);
          this.#proven.delete(process);
          this.#unusable.add(process);
          if (this.#unusable.size === this.#supervisors.length) this.events.unusable();
        },
        counted: () => this.events.counted(),
        decoded: (answer) => this.events.decoded(answer),
      }),
    );
  }
}
