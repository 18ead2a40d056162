/** Starts the process of a part and waits until the part is usable. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { lchown } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Account, serverAccount } from '../../src/app/privileges/index.js';
import { controlSocket, cutRelays } from './network/relays.js';
import { balancerStates } from './parts/balancer.js';
import { isNatsReady } from './parts/nats.js';
import { roleOf } from './parts/postgres.js';
import { cleanEnvironment, isEngineReady, isSidecarReady } from './parts/product.js';
import { isAlive, startDetached, waitFor } from './processes.js';
import { changeState, type FleetState, type Part, partOf, readState, withPart } from './state.js';

/** Ms within which a part becomes usable. */
const startTimeout = 90_000;

/** Path of the balancer's administration socket. */
export const adminSocket = (folder: string): string => join(folder, 'balancer.sock');

/** Returns the account of all processes if root runs the tool; undefined otherwise. */
export const fleetAccount = (): Promise<Account | undefined> => serverAccount();

const accepts = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** Whether a part does its work now. False for a part that the tool cannot reach. */
export const isReady = async (state: FleetState, part: Part): Promise<boolean> => {
  switch (part.role) {
    case 'relay':
      return accepts(controlSocket(state.folder));
    case 'postgres':
      return (await roleOf(state, part)) !== undefined;
    case 'nats':
      return isNatsReady(part);
    case 'transcriber':
      return accepts(join(part.folder, 'transcriber', 'socket'));
    case 'sidecar':
      return isSidecarReady(part);
    case 'engine':
      return isEngineReady(part);
    case 'balancer':
      return (await balancerStates(adminSocket(state.folder))).size > 0;
  }
};

/** Makes the folder of a part. Engines and sidecars find the socket of their transcriber in it. */
export const makeFolder = async (
  state: FleetState,
  part: Part,
  account: Account | undefined,
): Promise<void> => {
  if (existsSync(part.folder)) return;
  mkdirSync(part.folder, { recursive: true, mode: 0o700 });
  if (account) await lchown(part.folder, account.uid, account.gid);
  if (part.transcriber === undefined) return;
  const socket = join(part.folder, 'transcriber');
  symlinkSync(join(partOf(state, part.transcriber).folder, 'transcriber'), socket);
  if (account) await lchown(socket, account.uid, account.gid);
};

const lastLines = (path: string): string =>
  existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').slice(-5).join('\n') : '';

/** Starts the process of a part. @throws Error if it runs already. */
export const launch = async (folder: string, name: string, account: Account | undefined): Promise<void> => {
  const state = readState(folder);
  const part = partOf(state, name);
  if (isAlive(part.process)) throw new Error(`${name} is running.`);
  await makeFolder(state, part, account);
  // A killed PostgreSQL server leaves this file. The next server would not start if any process now had the id in the
  // file.
  if (part.role === 'postgres') rmSync(join(part.folder, 'data', 'postmaster.pid'), { force: true });
  const process = await startDetached({
    ...part.launch,
    env: { ...cleanEnvironment(), TMPDIR: join(folder, 'tmp'), ...part.launch.env },
    log: part.log,
    cwd: part.folder,
    account,
    namespace: part.namespace,
  });
  await changeState(folder, (now) => withPart(now, name, { process, paused: false }));
};

/** Waits until a started part is usable. @throws Error with the last lines of its log. */
export const untilReady = async (folder: string, name: string): Promise<void> => {
  const complain = (why: string): Error => {
    const { log } = partOf(readState(folder), name);
    return new Error(`${why}. Its log ${log} ends with:\n${lastLines(log)}`);
  };
  let ended = false;
  try {
    await waitFor(`${name} is ready`, startTimeout, async () => {
      const state = readState(folder);
      const part = partOf(state, name);
      ended = !isAlive(part.process);
      return ended || (await isReady(state, part));
    });
  } catch (error) {
    throw complain((error as Error).message);
  }
  if (ended) throw complain(`${name} has ended`);
};

/** Starts a part and waits until it is usable. */
export const startPart = async (
  folder: string,
  name: string,
  account: Account | undefined,
): Promise<void> => {
  await launch(folder, name, account);
  await untilReady(folder, name);
  // A restarted relay process does not know the recorded cuts, so they are made again.
  const { cuts, parts } = readState(folder);
  if (partOf(readState(folder), name).role === 'relay' && parts.length > 0) await cutRelays(folder, cuts);
};
