import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { CochleaError } from '../../errors/index.js';
import { createRing } from '../../ring/index.js';
import {
  type ControlMessage,
  type ShardHelperName,
  type ShardPortName,
  type ShardTask,
  type Started,
  shardHelpers,
} from '../shard/index.js';

/**
 * Space for young objects in a shard's thread, in MB. A frame allocates next to nothing there, so more would only be
 * touched, little by little, and stay resident.
 */
const youngGeneration = 6;

export interface ShardThreadOptions {
  /** What the thread is given, but for its ring and ports, which are new for every thread. */
  readonly task: Omit<ShardTask, 'ring' | 'ports'>;
  readonly ringSize: number;
  /** Module whose `runShard` is the task. */
  readonly module: string;
  /** Takes the end of a port that a helper serves. */
  attach(helper: ShardHelperName, port: MessagePort): void;
}

/**
 * One thread that runs one shard, in a pool of its own: so that the end of this thread, and nothing else, is the end of
 * its pool. Owned by the main thread.
 */
export class ShardThread {
  readonly ring: SharedArrayBuffer;
  /** The front's end of the channel on which the shard talks to it. */
  readonly port: MessagePort;
  /** Resolves when the shard serves; rejects with what kept it from serving. */
  readonly started: Promise<Started>;
  /** Resolves when the task has ended: with nothing when it returned, else with what it threw. Never while it hangs. */
  readonly ended: Promise<unknown>;
  readonly #pool: Piscina;
  readonly #control: MessagePort;
  readonly #speech: MessagePort;
  readonly #gone: Promise<void>;
  #exited = false;

  constructor(options: ShardThreadOptions) {
    this.#pool = new Piscina({
      filename: options.module,
      name: 'runShard',
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      // Sockets and timers of a task live in its thread; parking it between tasks gains nothing here.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
    });
    // A thread that fails outside its task, while it is being ended, is nothing to end the process for.
    this.#pool.on('error', () => undefined);
    this.#gone = new Promise((resolve) => {
      this.#pool.threads[0]!.once('exit', () => {
        this.#exited = true;
        resolve();
      });
    });
    const ports: Partial<Record<ShardPortName, MessagePort>> = {};
    const open = (name: ShardPortName): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      ports[name] = port2;
      return port1;
    };
    this.port = open('front');
    this.#speech = open('transcriber');
    this.#control = open('control');
    this.ring = createRing(options.ringSize);
    for (const helper of shardHelpers)
      options.attach(helper, helper === 'transcriber' ? this.#speech : open(helper));
    const task: ShardTask = { ...options.task, ring: this.ring, ports: ports as ShardTask['ports'] };
    const finished: Promise<void> = this.#pool.run(task, { transferList: Object.values(ports) });
    this.started = new Promise<Started>((resolve, reject) => {
      this.#control.on('message', (message: ControlMessage) => {
        if (message.kind === 'started') resolve(message);
        else if (message.kind === 'failed') reject(CochleaError.fromJSON(message.failure));
      });
      // Behind the message that names the cause, which is already in the port when the task rejects.
      finished.catch((thrown: unknown) => setImmediate(reject, thrown));
    });
    this.started.catch(() => undefined);
    this.ended = finished.catch((thrown: unknown) => thrown);
  }

  /** Whether the thread is gone: its memory is free, and nothing of it can run again. */
  get exited(): boolean {
    return this.#exited;
  }

  /** Asks the shard to drain, to close what it holds and to return from its task. */
  stop(): void {
    this.#control.postMessage({ kind: 'stop' } satisfies ControlMessage);
  }

  /**
   * Ends the thread, whatever it is doing. JavaScript is interrupted and never runs again in it; native code is not
   * interrupted, so that a thread which hangs there stays. Its port to the transcriber is closed at once: what that holds for it
   * is retained. The one for retained audio ends with the thread, because there may be audio in it.
   * @returns resolves when the thread is gone.
   */
  end(): Promise<void> {
    this.#control.close();
    this.#speech.close();
    void this.#pool.destroy();
    return this.#gone;
  }
}
