import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChildAnswer, ChildRequest } from '../shared/index.js';

export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of its error output. Only there the inference runtime explains a failure. */
  readonly said: string;
}

export interface ChildEvents {
  answered(answer: ChildAnswer): void;
  /** Called once, when the process has ended. */
  exited(how: ChildExit): void;
}

export interface TranscriberChild {
  readonly pid: number | undefined;
  send(request: ChildRequest): void;
  /** Kills the process: the only way to abort a decode. */
  kill(): void;
  /** Closes the channel; the process then ends by itself. Resolves when it has ended. */
  close(): Promise<void>;
}

/** Environment variables passed to the process. It must not get database addresses or keys. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot'];

/** Always disables telemetry of onnxruntime, which would send data to Microsoft. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ORT_DISABLE_TELEMETRY: '1',
});

export const transcriberProcess = fileURLToPath(new URL('./decoder-process.js', import.meta.url));

/** Most characters of error output that are kept. */
const longestSaid = 500;

/** Ms after closing the channel until the process is killed. */
const closeTimeout = 2000;

/**
 * Starts a transcriber process in its own process group, so that Ctrl-C in a terminal only reaches the engine. It
 * decodes on libuv's threads. There are more of them than the two utterances it gets at once.
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
      // Its last output may still be in the pipe. The child's 'close' event never comes after the channel was closed.
      const { stderr } = child;
      if (!stderr || stderr.closed) left(code, signal);
      else stderr.once('close', () => left(code, signal));
    });
    // This event also comes when the process could not be started; no 'exit' follows then.
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
    // A send fails when the process is ending; its exit is handled above.
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
