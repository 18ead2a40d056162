import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { type ChildMessage, errorOf } from './child-link.js';

/** Pauses before a restart, in ms: doubled after every quick death, back to the first after a long life. */
const firstPause = 250;
const longestPause = 10_000;
const longLife = 30_000;

export type ReadyMessage = ChildMessage & { kind: 'ready' };

export interface ManagedChildOptions {
  readonly name: string;
  /** Words after `cochlea`. */
  readonly args: readonly string[];
  /** Flags for the runtime, beside this process's own. */
  readonly flags?: readonly string[];
  /** Added to this process's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Variable that names its port: set to the one it found, so that a restart does not move it. */
  readonly portVariable: string;
  readonly log: Logger;
}

/**
 * A child process that is kept running until it is stopped.
 *
 * It is forked detached, into a process group of its own: a terminal's Ctrl-C then reaches the supervisor alone, which
 * closes its children in order. A child leaves by itself when the IPC channel breaks, so none outlives the supervisor.
 */
export class ManagedChild {
  readonly #options: ManagedChildOptions;
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #port: number | undefined;
  #stopping = false;
  #pause = firstPause;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: ManagedChildOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts it for the first time.
   * @returns what it said when it was ready.
   * @throws CochleaError what the child reported, or `internal` when it left without a word; it is not started again then.
   */
  start(): Promise<ReadyMessage> {
    return this.#launch();
  }

  /**
   * Asks it to close in order.
   * @param timeout ms after which it is killed.
   */
  async stop(timeout: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    this.#child?.kill('SIGTERM');
    const hard = setTimeout(() => {
      this.#options.log.warn({ child: this.#options.name, timeout }, 'child did not close in time: killed');
      this.kill();
    }, timeout);
    await this.#gone;
    clearTimeout(hard);
  }

  /** Ends it at once. */
  kill(): void {
    this.#stopping = true;
    clearTimeout(this.#restart);
    this.#child?.kill('SIGKILL');
  }

  #launch(): Promise<ReadyMessage> {
    const { name, args, env, log, portVariable } = this.#options;
    const kept = this.#port === undefined ? {} : { [portVariable]: String(this.#port) };
    const since = Date.now();
    const child = fork(fileURLToPath(new URL('./cochlea.js', import.meta.url)), args, {
      env: { ...process.env, ...env, ...kept },
      detached: true,
      execArgv: [...process.execArgv, ...(this.#options.flags ?? [])],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#gone = new Promise((resolve) => child.once('close', () => resolve()));
    return new Promise((resolve, reject) => {
      let ready = false;
      let failure: CochleaError | undefined;
      child.on('message', (message: ChildMessage) => {
        if (message.kind === 'ready') {
          ready = true;
          this.#port = message.port;
          resolve(message);
        } else failure = errorOf(message);
      });
      child.once('error', (error) => {
        log.error({ child: name, err: error }, 'child could not be started');
      });
      child.once('close', (code, signal) => {
        this.#child = undefined;
        reject(
          failure ?? new CochleaError('internal', {}, { cause: `${name} ended with ${signal ?? code}` }),
        );
        if (this.#stopping || !(ready || this.#restart)) return;
        log.warn({ child: name, code, signal, error: failure?.code }, 'child ended: restarting');
        this.#schedule(Date.now() - since);
      });
    });
  }

  #schedule(lived: number): void {
    if (lived > longLife) this.#pause = firstPause;
    this.#restart = setTimeout(() => {
      // A failed restart has scheduled the next one by the time this promise is rejected.
      this.#launch().catch(() => undefined);
    }, this.#pause);
    this.#pause = Math.min(longestPause, this.#pause * 2);
  }
}
