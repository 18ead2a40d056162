import type { Decoded, DecoderInput } from '../shared/index.js';
import { type SupervisorOptions, TranscriberSupervisor } from './decoder-supervisor.js';

export interface PoolOptions extends SupervisorOptions {
  /** Maximum number of processes. Each has its own copy of the speech model in memory. */
  readonly processes: number;
}

export interface PoolEvents {
  /**
   * Reports that a process, numbered from 0, has loaded the model and accepts utterances. @param together number of
   * utterances that it decodes at once.
   */
  ready(process: number, together: number): void;
  /** Reports that a process has loaded a further model. */
  loaded(): void;
  /** Reports that a further model cannot be loaded. The pool tries again only after another call of `load`. */
  refused(model: string): void;
  /** Reports that a process has ended: see `SupervisorEvents`. The other processes continue. */
  ended(process: number, byItself: boolean): void;
  /** Reports that no process accepts utterances and none will be started before `restart`. */
  unusable(): void;
  counted(): void;
  decoded(answer: Decoded): void;
}

/**
 * The decoder processes, each with its own supervisor. The first process starts at once. `grow` starts another one
 * if all started processes have loaded their model. A machine with little speech therefore loads the model only
 * once. When a process is unusable, the others do its work.
 */
export class DecoderPool {
  readonly #supervisors: TranscriberSupervisor[] = [];
  readonly #ready = new Set<number>();
  /** Models that each process loads after its first model. */
  readonly #further = new Set<string>();
  readonly #unusable = new Set<number>();
  /** Numbers of the processes that have accepted utterances at some time. */
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

  /** Whether all allowed processes have started once. Some of them may be restarting now. */
  get isComplete(): boolean {
    return this.#proven.size + this.#unusable.size >= this.options.processes;
  }

  /**
   * Process id of the first process that accepts utterances. If no process accepts utterances, this is the id of a
   * process that is loading its model.
   */
  get pid(): number | undefined {
    const [first] = this.#ready;
    if (first !== undefined) return this.#supervisors[first]!.pid;
    return this.#supervisors.find(({ pid }) => pid !== undefined)?.pid;
  }

  /**
   * Starts another process, because the running processes are busy. Does nothing while a process is loading its model,
   * or when the maximum is reached.
   */
  grow(): void {
    const begun = this.#supervisors.length;
    if (begun < this.options.processes && this.#ready.size + this.#unusable.size === begun) this.#start();
  }

  /** Makes all processes load a further model. */
  load(model: string): void {
    if (this.#further.has(model)) return;
    this.#further.add(model);
    for (const supervisor of this.#supervisors) supervisor.load(model);
  }

  /** Whether a process has loaded a model. */
  holds(process: number, model: string): boolean {
    return this.#supervisors[process]!.holds(model);
  }

  /** Whether a process is loading a further model. */
  isLoading(process: number): boolean {
    return this.#supervisors[process]!.isLoading;
  }

  /** Makes a process decode an utterance. The process must hold the model of the utterance. */
  decode(process: number, job: number, input: DecoderInput): void {
    this.#supervisors[process]!.decode(job, input);
  }

  /** Kills a process, because a decode cannot be aborted otherwise. `ended` is called afterwards. */
  kill(process: number): void {
    this.#supervisors[process]!.kill();
  }

  /** Starts the pool again after `unusable`, at first with one process. */
  restart(): void {
    this.#supervisors.length = 0;
    this.#unusable.clear();
    this.#start();
  }

  /** Ends all processes permanently. Resolves when they have exited. */
  async close(): Promise<void> {
    await Promise.all(this.#supervisors.map((supervisor) => supervisor.close()));
  }

  #start(): void {
    const process = this.#supervisors.length;
    const supervisor = new TranscriberSupervisor(this.options, {
      ready: (together) => {
        this.#ready.add(process);
        this.#proven.add(process);
        this.events.ready(process, together);
      },
      loaded: () => this.events.loaded(),
      refused: (model) => {
        this.#further.delete(model);
        this.events.refused(model);
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
    });
    this.#supervisors.push(supervisor);
    for (const model of this.#further) supervisor.load(model);
  }
}
