import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildPrograms } from '../native-programs.js';
import type { Generator, GeneratorOptions, GeneratorSnapshot } from './generator.js';

/** Maximum ms in which a generator must read its packets and resolve the server's address. */
const startTimeout = 30_000;

/**
 * Builds the programs of bench/native/fleet.
 * @param sanitized builds with the address and undefined-behaviour sanitizers, for tests.
 * @returns paths of the generator, of the null server, and of the programs that test parts of them.
 * @throws Error naming the missing tool.
 */
export const buildGenerator = (sanitized = false): Promise<string[]> => {
  if (process.platform !== 'linux') throw new Error('the load generator runs on Linux only (epoll, timerfd)');
  return buildPrograms(
    'native/fleet',
    ['generator', 'null-server', 'fleet-check'],
    sanitized ? ['-DFLEET_SANITIZE=ON'] : [],
  );
};

/** Returns the command-line arguments of the generator. */
export const generatorFlags = (options: GeneratorOptions): string[] => {
  const { network = {}, headers = {} } = options;
  const flags = ['--url', options.url, '--ramp', String(options.rampPerS), '--seed', String(options.seed)];
  for (const { name, weight, frameMs, packets, query } of options.classes) {
    flags.push('--class', name, String(weight), String(frameMs), packets, query);
  }
  for (const [name, value] of Object.entries(headers)) flags.push('--header', `${name}: ${value}`);
  const numbers: readonly [flag: string, value: number | undefined][] = [
    ['--jitter-ms', network.jitterMs],
    ['--stall-share', network.stallShare],
    ['--stall-ms', network.stallMs],
    ['--disconnect-every-s', network.disconnectEveryS],
    ['--reconnect-ms', network.reconnectMs],
    ['--keep-alive-ms', options.keepAliveMs],
    ['--odd-share', options.oddShare],
    ['--queue-ms', options.queueMs],
    ['--cpu', options.cpu],
    ['--nice', options.nice],
  ];
  for (const [flag, value] of numbers) if (value !== undefined) flags.push(flag, String(value));
  if (options.uidPrefix !== undefined) flags.push('--uid-prefix', encodeURIComponent(options.uidPrefix));
  return flags;
};

type Message =
  | { readonly event: 'ready'; readonly limit: number }
  | { readonly event: 'snapshot' | 'last'; readonly snapshot: GeneratorSnapshot }
  | { readonly event: 'refused'; readonly reason: string };

interface Waiting {
  resolve(snapshot: GeneratorSnapshot): void;
  reject(error: Error): void;
}

/**
 * Starts a generator that is already built; see `startGenerator`.
 * @param flags command-line arguments of the generator.
 */
export const startGeneratorProgram = (program: string, flags: readonly string[]): Promise<Generator> => {
  const child = spawn(program, flags, { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting: Waiting[] = [];
  let said = '';
  let last: GeneratorSnapshot | undefined;
  let limit = 0;
  let ended: Error | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-4000);
  });
  // Errors of the pipe are ignored. They mean that the generator has ended, which its exit event reports.
  child.stdin.on('error', () => undefined);
  const tell = (line: string): void => {
    child.stdin.write(`${line}\n`);
  };
  const gone = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ended = error;
      resolve();
    });
    child.once('close', (code, signal) => {
      const reason = said.trim() || `ended with ${signal ?? code}`;
      ended ??= new Error(reason.startsWith('generator: ') ? reason : `generator: ${reason}`);
      for (const { reject } of waiting.splice(0)) reject(ended);
      resolve();
    });
  });
  const generator: Generator = {
    pid: child.pid ?? 0,
    get limit() {
      return limit;
    },
    setStreams(count) {
      if (!Number.isInteger(count) || count < 0 || count > limit) {
        throw new RangeError(
          `${count} streams: a process here has file descriptors for 0 to ${limit}; "ulimit -Hn" sets how many`,
        );
      }
      tell(`streams ${count}`);
    },
    snapshot: () =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.push({ resolve, reject });
        tell('snapshot');
      }),
    async stop() {
      child.stdin.end();
      await gone;
      if (!last || child.exitCode !== 0) throw ended;
      return last;
    },
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`generator: not ready within ${startTimeout} ms`));
    }, startTimeout);
    void gone.then(() => {
      clearTimeout(timer);
      reject(ended);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.event === 'ready') {
        clearTimeout(timer);
        ({ limit } = message);
        resolve(generator);
      } else if (message.event === 'snapshot') {
        waiting.shift()?.resolve(message.snapshot);
      } else if (message.event === 'last') {
        last = message.snapshot;
      }
    });
  });
};
