import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { type ChildMessage, errorOf } from './child-link.js';

/** First pause before a restart, in ms. It doubles if a child ends soon after its start, and is reset after a long run. */
const firstPause = 250;
const longestPause = 10_000;
const longLife = 30_000;

export type ReadyMessage = ChildMessage & { kind: 'ready' };

export interface ManagedChildOptions {
  readonly name: string;
  /** Arguments of the `cochlea` command. */
  readonly args: readonly string[];
  /** Node flags in addition to this process's own. */
  readonly flags?: readonly string[];
  /** Variables added to this process's environment. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Name of the environment variable for the child's port; absent if the child has no port. After the first start, the
   * variable contains the port that the child chose, so that the child has the same port after a restart.
   */
  readonly portVariable?: string;
  readonly log: Logger;
}

/**
 * A child process that is restarted until it is stopped.
 *
 * The child runs in its own process group. Ctrl-C in a terminal thus reaches only the supervisor, which closes its
 * children in order. A child ends when its IPC channel breaks, so no child outlives the supervisor.
 */
export class ManagedChild {
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #port: number | undefined;
  #stopping = false;
  #pause = firstPause;
  #restart: NodeJS.Timeout | undefined;

  constructor(private readonly options: ManagedChildOptions) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts the child for the first time.
   * @returns its `ready` message.
   * @throws CochleaError the error that the child reported, or `internal` if the child ended without a report. The
   *   child is not restarted after such a failure.
   */
  start(): Promise<ReadyMessage> {
    return this.#launch();
  }

  /** Asks the child to close (SIGTERM) and waits until it has ended. @param timeout ms after which the child is killed. */
  async stop(timeout: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    this.#child?.kill('SIGTERM');
    const hard = setTimeout(() => {
      this.options.log.warn({ child: this.options.name, timeout }, 'child did not close in time: killed');
      this.kill();
    }, timeout);
    await this.#gone;
    clearTimeout(hard);
  }

  /** Kills the child. */
  kill(): void {
    this.#stopping = true;
    clearTimeout(this.#restart);
    this.#child?.kill('SIGKILL');
  }

  #launch(): Promise<ReadyMessage> {
    const { name, args, env, log, portVariable } = this.options;
    const kept =
      this.#port === undefined || portVariable === undefined ? {} : { [portVariable]: String(this.#port) };
    const since = Date.now();
    const child = fork(fileURLToPath(new URL('../cochlea.js', import.meta.url)), args, {
      env: { ...process.env, ...env, ...kept },
      detached: true,
      execArgv: [...process.execArgv, ...(this.options.flags ?? [])],
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
      // If this restart fails, the exit handler has already scheduled the next restart.
      this.#launch().catch(() => undefined);
    }, this.#pause);
    this.#pause = Math.min(longestPause, this.#pause * 2);
  }
}
