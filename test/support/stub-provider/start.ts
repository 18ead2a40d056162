import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeJson, MessageReader, type StubRecord } from './protocol.js';

/** The process of a stub, as tests control it. */
export interface StubProcess {
  readonly socket: string;
  /** Returns the stub's records so far, in the order in which streams began. */
  journal(): Promise<StubRecord[]>;
  /** Kills the process, to simulate a crash. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a stub. @param seconds seconds of audio between two results. Default: a result after each section of sound.
 * @param lots the arguments NAME and PERCENT of `server.ts`: a name that the words contain, and the percentage of
 * streams that fail per minute.
 */
export const startStub = async (
  seconds?: number,
  lots?: { readonly name: string; readonly percent: number },
): Promise<StubProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-stub-'));
  // If root runs the tests, the engine switches to a different user, who must be able to reach the socket.
  chmodSync(folder, 0o755);
  const socket = join(folder, 'stub.sock');
  const args = seconds === undefined ? [socket] : [socket, String(seconds)];
  if (lots !== undefined) args.push(lots.name, String(lots.percent));
  const child: ChildProcess = fork(fileURLToPath(new URL('./server.js', import.meta.url)), args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await once(child.stdout!, 'data');
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    socket,
    kill,
    journal: () =>
      new Promise((resolve, reject) => {
        const asking = connect(socket);
        const reader = new MessageReader((_kind, body) =>
          resolve(JSON.parse(body.toString()) as StubRecord[]),
        );
        asking.on('data', (bytes) => reader.read(bytes));
        asking.on('error', reject);
        asking.write(encodeJson({ type: 'journal' }));
      }),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
