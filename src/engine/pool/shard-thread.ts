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
 * Maximum size in MB of V8's young generation in a shard's thread. Frames allocate almost nothing there, so a
 * larger space would only take more memory.
 */
const youngGeneration = 6;

export interface ShardThreadOptions {
  /** The task of the thread, without the ring and the ports, which are created for every thread. */
  readonly task: Omit<ShardTask, 'ring' | 'ports'>;
  readonly ringSize: number;
  /** Path of the module that exports `runShard`. */
  readonly module: string;
  /** Connects one end of a port to a helper. */
  attach(helper: ShardHelperName, port: MessagePort): void;
}

/**
 * One thread that runs one shard. Each thread has its own pool, so that destroying the pool ends exactly this
 * thread. Owned by the main thread.
 */
export class ShardThread {
  readonly ring: SharedArrayBuffer;
  /** The front's end of the channel to the shard. */
  readonly port: MessagePort;
  /** Resolves when the shard serves; rejects with the error that prevented it. */
  readonly started: Promise<Started>;
  /**
   * Resolves when the task has ended: with undefined, or with the error that it threw. It stays pending while the
   * task hangs.
   */
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
      // The thread runs a single task with sockets and timers. Piscina's blocking wait between tasks would gain
      // nothing.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
    });
    // An error outside the task, while the thread is being ended, must not end the process.
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
      // When the task rejects, the port already holds the `failed` message with the cause. The delay makes that
      // message arrive first.
      finished.catch((thrown: unknown) => setImmediate(reject, thrown));
    });
    this.started.catch(() => undefined);
    this.ended = finished.catch((thrown: unknown) => thrown);
  }

  /** Whether the thread has ended. Its memory is then freed, and its code cannot run any more. */
  get exited(): boolean {
    return this.#exited;
  }

  /** Asks the shard to drain, to close its resources and to return from its task. */
  stop(): void {
    this.#control.postMessage({ kind: 'stop' } satisfies ControlMessage);
  }

  /**
   * Ends the thread at once. JavaScript code is interrupted. A thread that hangs in native code continues to exist.
   * The port to the transcriber is closed at once, and the transcriber retains the shard's waiting utterances. The
   * port for retained audio closes with the thread, because it may still contain audio.
   * @returns a promise that resolves when the thread has ended.
   */
  end(): Promise<void> {
    this.#control.close();
    this.#speech.close();
    void this.#pool.destroy();
    return this.#gone;
  }
}
