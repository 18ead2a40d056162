import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { ChildAnswer, Decoded, DecoderInput } from '../shared/index.js';
import { type ChildExit, startChild, type TranscriberChild, transcriberProcess } from '../whisper/index.js';

export interface SupervisorOptions {
  /**
   * Name of the first model. A process accepts utterances once it has loaded this model. It loads further models later.
   */
  readonly model: string;
  readonly modelsDir: string;
  /** Maximum time in ms that the first process may take to load its model. This time doubles with each failed start. */
  readonly loadTimeout: number;
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** Path of the module that the transcriber process runs. Tests replace it with a faulty module. */
  readonly module?: string | undefined;
}

export interface SupervisorEvents {
  /**
   * Reports that a process has loaded the model and accepts utterances. @param together number of utterances that
   * it decodes at once.
   */
  ready(together: number): void;
  /** Reports that the process has loaded a further model. */
  loaded(): void;
  /** Reports that a further model cannot be loaded. The process continues with its other models. */
  refused(model: string): void;
  /**
   * Reports that the process ended before it finished its decodes. Another process will be started.
   * @param byItself false if a signal from outside ended the process, including `kill`.
   */
  ended(byItself: boolean): void;
  /** Reports that no further process will be started. */
  unusable(): void;
  /** Reports that a counter has changed. */
  counted(): void;
  /** Reports the end of a decode. `text` is absent if the decoder refused the audio. */
  decoded(answer: Decoded): void;
}

/** Maximum number of consecutive processes that end before they are ready. After that no further process is started. */
const mostFailedStarts = 5;
/**
 * Maximum number of processes that may end while they load a further model. After that, the model is not loaded again.
 * An end by a signal from outside says little about the model. But the system ends processes by such a signal if memory
 * is short, so the number of these ends is limited, too.
 */
const mostFailedLoads = { itself: 3, outside: 6 } as const;
/** Length in ms of the first pause before a restart. It doubles with every restart until an utterance is decoded. */
const firstBackoff = 100;
const longestBackoff = 5000;
/**
 * Maximum factor of `loadTimeout`. A busy machine loads models slowly. If the timeout did not grow, it could end every
 * start.
 */
const longestLoad = 8;

/** Signals with which other programs end a process. A process that fails by itself exits or gets another signal. */
const outsideSignals: readonly (string | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

/** Keeps one transcriber process running: starts it, and restarts it after it ended. */
export class TranscriberSupervisor {
  #child: TranscriberChild | undefined;
  #loading: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isOver = false;
  #failedStarts = 0;
  #backoff = firstBackoff;
  /** Further models that processes load once they are ready. */
  readonly #further = new Set<string>();
  /** The further model that the process is loading now. */
  #pending: string | undefined;
  /** Models of the current process. */
  readonly #loaded = new Set<string>();
  /** Number of consecutive processes that ended while they loaded a further model, by the name of the model. */
  readonly #failedLoads = new Map<string, { itself: number; outside: number }>();

  constructor(
    private readonly options: SupervisorOptions,
    private readonly events: SupervisorEvents,
  ) {
    this.#start();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether the current process has loaded a model. */
  holds(model: string): boolean {
    return this.#loaded.has(model);
  }

  /** Whether the current process is loading a further model. */
  get isLoading(): boolean {
    return this.#pending !== undefined;
  }

  /** Decodes an utterance. The process must hold its model. */
  decode(job: number, input: DecoderInput): void {
    this.#child?.send({ kind: 'decode', job, ...input });
  }

  /**
   * Makes the current process and all later processes also load a model. Reports a model that cannot be loaded with
   * `refused`.
   */
  load(model: string): void {
    if (this.#further.has(model)) return;
    this.#further.add(model);
    this.#failedLoads.delete(model);
    if (this.#isReady) this.#loadNext();
  }

  /** Kills the current process, because a decode cannot be aborted otherwise. `ended` is called afterwards. */
  kill(): void {
    this.#child?.kill();
  }

  /** Ends the process permanently. Resolves when it has exited. */
  async close(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#restart);
    await this.#child?.close();
  }

  /** Whether the process accepts utterances. */
  get #isReady(): boolean {
    return this.holds(this.options.model);
  }

  #start(): void {
    const { module, loadTimeout, model, modelsDir } = this.options;
    const child = startChild(module ?? transcriberProcess, {
      answered: (answer) => this.#answered(answer),
      exited: (how) => this.#exited(how),
    });
    this.#child = child;
    const limit = loadTimeout * Math.min(longestLoad, 2 ** this.#failedStarts);
    this.#loading = setTimeout(() => {
      this.options.log.warn({ limit }, 'a transcriber process did not load its model in time and is killed');
      child.kill();
    }, limit);
    child.send({ kind: 'load', model, modelsDir });
  }

  #answered(answer: ChildAnswer): void {
    if (this.#isOver) return;
    switch (answer.kind) {
      case 'ready':
        clearTimeout(this.#loading);
        this.#loaded.add(answer.model);
        this.#failedLoads.delete(answer.model);
        // Reports the loaded model before the next load, so that waiting speech is sent first. Loading may block the
        // process for a second.
        if (answer.model === this.options.model) {
          this.#failedStarts = 0;
          this.events.ready(answer.together);
        } else this.events.loaded();
        this.#pending = undefined;
        this.#loadNext();
        break;
      case 'unusable':
        this.options.log.error(CochleaError.fromJSON(answer.error).line);
        if (answer.model === this.options.model) this.#giveUp();
        else {
          this.#pending = undefined;
          this.#refuse(answer.model);
        }
        break;
      case 'decoded':
        if (answer.text !== undefined) this.#backoff = firstBackoff;
        if (answer.repeated > 0) {
          this.options.metrics.add('transcriber_repeats_total', answer.repeated);
          this.events.counted();
        }
        this.events.decoded(answer);
    }
  }

  #exited({ code, signal, said }: ChildExit): void {
    clearTimeout(this.#loading);
    this.#child = undefined;
    if (this.#isOver) return;
    // The output of a ready process might quote speech, so it is not logged. Earlier output is about the model
    // only.
    const why = this.#isReady ? {} : { said };
    this.options.log.warn({ code, signal, ...why }, 'a transcriber process ended and is restarted');
    this.options.metrics.add('transcriber_restarts_total');
    if (!this.#isReady) this.#failedStarts++;
    this.#loaded.clear();
    const byItself = !outsideSignals.includes(signal);
    const failed = this.#pending;
    this.#pending = undefined;
    if (failed !== undefined) this.#failedToLoad(failed, byItself ? 'itself' : 'outside');
    this.events.ended(byItself);
    if (this.#failedStarts >= mostFailedStarts) {
      this.options.log.error('a transcriber process does not start; this service stops trying');
      this.#giveUp();
      return;
    }
    this.#restart = setTimeout(() => this.#start(), this.#backoff);
    this.#backoff = Math.min(this.#backoff * 2, longestBackoff);
  }

  /** Loads the next further model. Models are loaded one after the other, so that it is known which model fails. */
  #loadNext(): void {
    const child = this.#child;
    // A second request for the same model would load a second copy of it.
    if (this.#pending !== undefined || child === undefined) return;
    this.#pending = [...this.#further].find((model) => !this.#loaded.has(model));
    if (this.#pending === undefined) return;
    // The load of a further model has no time limit. Meanwhile the process decodes with its other models, and killing
    // the process would delay their speech.
    child.send({ kind: 'load', model: this.#pending, modelsDir: this.options.modelsDir });
  }

  #failedToLoad(model: string, how: 'itself' | 'outside'): void {
    const failures = this.#failedLoads.get(model) ?? { itself: 0, outside: 0 };
    failures[how]++;
    this.#failedLoads.set(model, failures);
    if (failures[how] >= mostFailedLoads[how]) this.#refuse(model);
  }

  #refuse(model: string): void {
    this.options.log.error({ model }, 'a speech model cannot be loaded and is not used');
    this.#further.delete(model);
    this.events.refused(model);
    if (this.#isReady) this.#loadNext();
  }

  #giveUp(): void {
    void this.close();
    this.events.unusable();
  }
}
