import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChildAnswer, ChildRequest } from './transcriber-messages.js';

export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to its error output: the runtime explains itself there only. */
  readonly said: string;
}

export interface ChildEvents {
  answered(answer: ChildAnswer): void;
  /** Called once, when the process is gone. */
  exited(how: ChildExit): void;
}

export interface TranscriberChild {
  readonly pid: number | undefined;
  send(request: ChildRequest): void;
  /** Ends the process now: the only way to abort a decode. */
  kill(): void;
  /** Lets go of the channel, on which the process leaves by itself. Resolves when it is gone. */
  close(): Promise<void>;
}

/** What the process needs of our environment; database addresses and keys are none of its business. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot'];

const environment = (concurrency: number): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  // Decodes run on libuv's threads; file reads of the load share them.
  UV_THREADPOOL_SIZE: String(Math.max(4, concurrency)),
});

export const transcriberProcess = fileURLToPath(new URL('./transcriber-process.js', import.meta.url));

/** Characters of error output kept. */
const longestSaid = 500;

/** Time after which a process that was let go of is killed (ms). */
const closeTimeout = 2000;

/**
 * Starts the transcriber process in a process group of its own, so that Ctrl-C in a terminal reaches the engine only.
 * @param concurrency decodes it will be given at once.
 */
export const startChild = (module: string, concurrency: number, events: ChildEvents): TranscriberChild => {
  const child: ChildProcess = fork(module, [], {
    serialization: 'advanced',
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment(concurrency),
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-longestSaid);
  });
  let gone = false;
  const exit = new Promise<void>((resolve) => {
    const left = (code: number | null, signal: string | null): void => {
      if (gone) return;
      gone = true;
      resolve();
      events.exited({ code, signal, said: said.trim() });
    };
    child.once('exit', (code, signal) => {
      // What it wrote last is still in the pipe. The child's own 'close' never comes once the channel was let go of.
      const { stderr } = child;
      if (!stderr || stderr.closed) left(code, signal);
      else stderr.once('close', () => left(code, signal));
    });
    // Also raised when the process could not be started, in which case no exit follows.
    child.on('error', () => {
      if (child.pid === undefined) left(null, null);
    });
  });
  child.on('message', (message) => events.answered(message as ChildAnswer));
  const kill = (): void => {
    if (!gone) child.kill('SIGKILL');
  };
  return {
    pid: child.pid,
    // A send that fails means the process is going; its exit tells the rest.
    send: (request) => void child.send(request, () => {}),
    kill,
    close: async () => {
      if (child.connected) child.disconnect();
      const timer = setTimeout(kill, closeTimeout);
      await exit;
      clearTimeout(timer);
    },
  };
};
