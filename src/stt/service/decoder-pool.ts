import type { Decoded, EarlierTexts } from '../shared/index.js';
import { type SupervisorOptions, TranscriberSupervisor } from './decoder-supervisor.js';

export interface PoolOptions extends SupervisorOptions {
  /** Most processes. Each holds the speech model in memory of its own. */
  readonly processes: number;
}

export interface PoolEvents {
  /** A process, named by its place from 0, has loaded the model and takes utterances, of which it decodes some together. */
  ready(process: number, together: number): void;
  /** See `SupervisorEvents`; the other processes go on. */
  ended(process: number, byItself: boolean): void;
  /** No process takes utterances any more, and none will. */
  unusable(): void;
  counted(): void;
  decoded(answer: Decoded): void;
}

/**
 * The processes that decode, each supervised by itself. They begin one after the other: the first at once, each further one when `grow`
 * is called and the one before has loaded its model, so that a machine on which little is spoken holds the model once. One that cannot
 * be used leaves the work to the others.
 */
export class DecoderPool {
  readonly #options: PoolOptions;
  readonly #events: PoolEvents;
  readonly #supervisors: TranscriberSupervisor[] = [];
  readonly #ready = new Set<number>();
  readonly #unusable = new Set<number>();
  /** Those that have taken utterances once. */
  readonly #proven = new Set<number>();

  constructor(options: PoolOptions, events: PoolEvents) {
    this.#options = options;
    this.#events = events;
    this.#start();
  }

  /** Number of processes that take utterances. */
  get running(): number {
    return this.#ready.size;
  }

  /** Whether as many processes have begun as there may be, though one may be about to begin again. */
  get isComplete(): boolean {
    return this.#proven.size + this.#unusable.size >= this.#options.processes;
  }

  /** Id of the first process that takes utterances; of one that loads its model where there is none. */
  get pid(): number | undefined {
    const [first] = this.#ready;
    if (first !== undefined) return this.#supervisors[first]!.pid;
    return this.#supervisors.find(({ pid }) => pid !== undefined)?.pid;
  }

  /** More is to be done than the processes take: another one begins, unless one is loading its model or there are as many as there may be. */
  grow(): void {
    const begun = this.#supervisors.length;
    if (begun < this.#options.processes && this.#ready.size + this.#unusable.size === begun) this.#start();
  }

  decode(process: number, job: number, pcm: Int16Array, earlier: EarlierTexts): void {
    this.#supervisors[process]!.decode(job, pcm, earlier);
  }

  /** Ends a process, the only way to abort a decode; `ended` follows. */
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
      new TranscriberSupervisor(this.#options, {
        ready: (together) => {
          this.#ready.add(process);
          this.#proven.add(process);
          this.#events.ready(process, together);
        },
        ended: (byItself) => {
          this.#ready.delete(process);
          this.#events.ended(process, byItself);
        },
        unusable: () => {
          this.#ready.delete(process);
          this.#proven.delete(process);
          this.#unusable.add(process);
          if (this.#unusable.size === this.#supervisors.length) this.#events.unusable();
        },
        counted: () => this.#events.counted(),
        decoded: (answer) => this.#events.decoded(answer),
      }),
    );
  }
}
