import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChildAnswer, ChildRequest } from '../shared/index.js';

export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of the process's error output. It is the only place where the inference runtime explains a failure. */
  readonly said: string;
}

export interface ChildEvents {
  answered(answer: ChildAnswer): void;
  /** Called once, when the process has ended or could not be started. */
  exited(how: ChildExit): void;
}

export interface TranscriberChild {
  readonly pid: number | undefined;
  send(request: ChildRequest): void;
  /** Kills the process, because a decode cannot be aborted otherwise. */
  kill(): void;
  /** Closes the channel, which makes the process end. Resolves when it has ended. */
  close(): Promise<void>;
}

/**
 * Names of the environment variables that are passed to the process. Database addresses and keys must not be among
 * them.
 */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot'];

/**
 * Returns the environment of the process. It always disables telemetry of onnxruntime, which would send data to
 * Microsoft.
 */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ORT_DISABLE_TELEMETRY: '1',
});

export const transcriberProcess = fileURLToPath(new URL('./decoder-process.js', import.meta.url));

/** Maximum number of characters of error output that are stored. */
const longestSaid = 500;

/** Time in ms after closing the channel until the process is killed. */
const closeTimeout = 2000;

/**
 * Starts a transcriber process in its own process group, so that Ctrl-C in a terminal reaches only the engine. The
 * process decodes on libuv's threads. libuv has more than two threads, and the process gets at most two utterances at
 * once.
 */
export const startChild = (module: string, events: ChildEvents): TranscriberChild => {
  const child: ChildProcess = fork(module, [], {
    serialization: 'advanced',
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment(),
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
      // Waits for the last output, which may still be in the pipe. The child's 'close' event cannot be used,
      // because it never occurs after the channel was closed.
      const { stderr } = child;
      if (!stderr || stderr.closed) left(code, signal);
      else stderr.once('close', () => left(code, signal));
    });
    // The event also occurs if the process could not be started. No 'exit' event follows then.
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
    // Ignores errors. A send fails when the process is ending, and the exit is handled above.
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
