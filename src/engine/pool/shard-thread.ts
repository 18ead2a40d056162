import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { CochleaError } from '../../errors/index.js';
import { createRing } from '../../ring/index.js';
import type { ControlMessage, ShardTask, Started } from '../shard/index.js';

/**
 * Space for young objects in a shard's thread, in MB. A frame allocates next to nothing there, so more would only be
 * touched, little by little, and stay resident.
 */
const youngGeneration = 6;

export interface ShardThreadOptions {
  /** What the thread is given, but for its ring and ports, which are new for every thread. */
  readonly task: Omit<
    ShardTask,
    | 'ring'
    | 'frontPort'
    | 'transcriberPort'
    | 'retainPort'
    | 'voicesPort'
    | 'translationsPort'
    | 'imagesPort'
    | 'readabilityPort'
    | 'controlPort'
  >;
  readonly ringSize: number;
  /** Module whose `runShard` is the task. */
  readonly module: string;
  /** Takes the port on which utterances come. */
  attachTranscriber(port: MessagePort): void;
  /** Takes the port on which audio comes that no provider took. */
  attachRetained(port: MessagePort): void;
  /** Takes the port on which utterances come whose voices are to be told apart. */
  attachVoices(port: MessagePort): void;
  /** Takes the port on which images come. */
  attachImages(port: MessagePort): void;
  /** Takes the port on which samples of streams come that are to be judged. */
  attachReadability(port: MessagePort): void;
  /** Takes the port on which segments come that are to be translated. */
  attachTranslations(port: MessagePort): void;
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
    const front = new MessageChannel();
    const speech = new MessageChannel();
    const retained = new MessageChannel();
    const voices = new MessageChannel();
    const images = new MessageChannel();
    const readability = new MessageChannel();
    const translations = new MessageChannel();
    const control = new MessageChannel();
    this.port = front.port1;
    this.#speech = speech.port1;
    this.#control = control.port1;
    this.ring = createRing(options.ringSize);
    options.attachTranscriber(speech.port1);
    options.attachRetained(retained.port1);
    options.attachVoices(voices.port1);
    options.attachImages(images.port1);
    options.attachReadability(readability.port1);
    options.attachTranslations(translations.port1);
    const task: ShardTask = {
      ...options.task,
      ring: this.ring,
      frontPort: front.port2,
      transcriberPort: speech.port2,
      retainPort: retained.port2,
      voicesPort: voices.port2,
      imagesPort: images.port2,
      readabilityPort: readability.port2,
      translationsPort: translations.port2,
      controlPort: control.port2,
    };
    const finished: Promise<void> = this.#pool.run(task, {
      transferList: [front, speech, retained, voices, images, readability, translations, control].map(
        ({ port2 }) => port2,
      ),
    });
    this.started = new Promise<Started>((resolve, reject) => {
      control.port1.on('message', (message: ControlMessage) => {
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
