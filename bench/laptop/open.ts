/** Brings up a fleet: makes files and credentials, and starts each part as an operator would. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transcribesHere } from '../../src/app/models/index.js';
import { blockedAt } from '../../src/app/postgres/binaries.js';
import type { Account } from '../../src/app/privileges/index.js';
import { loadSettings } from '../../src/config/index.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { modelsDirectory } from '../../src/models/directory.js';
import { makeCertificate } from './certificate.js';
import { makeNamespaces } from './network/namespaces.js';
import { controlSocket, relaysOf } from './network/relays.js';
import { writeBalancerConfiguration } from './parts/balancer.js';
import { writeNatsConfiguration } from './parts/nats.js';
import {
  createDatabase,
  giveAll,
  initialisePrimary,
  postgresPrograms,
  untilAnswers,
} from './parts/postgres.js';
import { cleanEnvironment, command, productLaunch, standInBus } from './parts/product.js';
import { type FleetSize, planFleet, publicUrlOf } from './plan.js';
import { requireProc } from './processes.js';
import { findHaproxy, findNats, required } from './programs.js';
import { attachStandby } from './standby.js';
import { adminSocket, fleetAccount, launch, makeFolder, startPart, untilReady } from './start.js';
import {
  addressFor,
  type FleetState,
  hasState,
  type Launch,
  type Part,
  partOf,
  writeState,
} from './state.js';
import { takeDown } from './take-down.js';

const run = promisify(execFile);

export interface FleetOptions extends Partial<FleetSize> {
  /** Folder of the fleet. Default: `build/fleet` of the checkout. */
  readonly folder?: string;
  /** Whether each part has a network namespace. Needs root. Default: false, all on 127.0.0.1 with a relay. */
  readonly netns?: boolean;
  /** Settings for engines, sidecars and transcribers. They override the settings that the tool makes. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Path of a program that runs in place of `cochlea transcriber`, with the same settings. */
  readonly transcriberProgram?: string;
  /** Receives a line for each step. */
  readonly tell?: (line: string) => void;
}

const usual: FleetSize = { engines: 3, sidecars: 2, transcribers: 2 };

/** Maximum bytes of the folder's path. Sockets in the folder have longer paths, of at most 107 bytes. */
const longestPath = 75;

export const defaultFolder = (): string => join(packageDirectory(), 'build', 'fleet');

/** Checks the options and the machine before anything is started. @throws Error with the remedy. */
const checkOptions = (folder: string, size: FleetSize, settings: Readonly<Record<string, string>>): void => {
  requireProc();
  required(findNats());
  required(findHaproxy());
  if (Buffer.byteLength(folder) > longestPath) {
    throw new Error(`The path ${folder} is too long for sockets. Name a shorter one with --folder.`);
  }
  if (hasState(folder)) {
    throw new Error(
      `There is a fleet in ${folder}. Run "npm run fleet -- down" first, or name another --folder.`,
    );
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty. Remove it, or name another --folder.`);
  }
  const speaks = transcribesHere(loadSettings({ ...standInBus, ...settings }).values);
  if (speaks && size.transcribers === 0) {
    throw new Error(
      'Engines need a transcriber. Use --transcribers 1, or --env COCHLEA_STT=discard, or another STT_SERVICE_MODELS.',
    );
  }
};

const makeFolders = async (folder: string, account: Account | undefined): Promise<void> => {
  for (const name of ['', 'data', 'logs', 'conf', 'keys', 'tmp']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  if (account === undefined) return;
  await giveAll(folder, account);
  for (const needed of [folder, packageDirectory()]) {
    const blocked = await blockedAt(needed, account);
    if (blocked === undefined) continue;
    throw new Error(
      `The parts run as user ${account.name}, who cannot pass through ${blocked}. Run as another user than root, or move the checkout.`,
    );
  }
};

/** Makes the credentials of the bus with the command `cochlea bus accounts`. @returns the path of the accounts. */
const makeAccounts = async (state: FleetState): Promise<string> => {
  const words = state.parts
    .filter(({ role }) => role === 'engine' || role === 'sidecar')
    .flatMap(({ role, name }) => [`--${role}`, name]);
  const keys = join(state.folder, 'keys');
  const { stdout } = await run(process.execPath, [command, 'bus', 'accounts', ...words, '--keys', keys], {
    env: cleanEnvironment(),
  });
  const path = join(state.folder, 'conf', 'accounts.conf');
  writeFileSync(path, stdout, { mode: 0o600 });
  return path;
};

/** Writes the configurations of all parts. @returns the state, in which each part now has its `launch`. */
const configure = async (
  state: FleetState,
  account: Account | undefined,
  transcriberProgram: string | undefined,
): Promise<FleetState> => {
  const { folder, parts, links } = state;
  const conf = (name: string): string => join(folder, 'conf', name);
  const accounts = await makeAccounts(state);
  const tls =
    state.network === 'netns'
      ? makeCertificate(
          join(folder, 'keys'),
          parts.map(({ host }) => host),
        )
      : undefined;
  const programs = await postgresPrograms(join(folder, 'conf'), account);
  const plan = {
    ...state,
    publicUrl: publicUrlOf(state),
    modelsDir: process.env.COCHLEA_MODELS_DIR || modelsDirectory(loadSettings().values),
    keys: join(folder, 'keys'),
    natsCa: tls?.cert,
    transcriberProgram,
  };
  const launchOf = (part: Part): Launch => {
    switch (part.role) {
      case 'relay': {
        const file = conf('relays.json');
        writeFileSync(file, JSON.stringify(relaysOf(links, parts)));
        const program = fileURLToPath(new URL('./network/relay-program.js', import.meta.url));
        return { program: process.execPath, args: [program, file, controlSocket(folder)], env: {} };
      }
      case 'postgres':
        return {
          program: join(programs, 'postgres'),
          args: ['-D', join(part.folder, 'data')],
          env: { LC_ALL: 'C', TZ: 'UTC' },
        };
      case 'nats': {
        const file = conf(`${part.name}.conf`);
        writeNatsConfiguration(file, { part, parts, links, accounts, tls });
        return { program: required(findNats()), args: ['-c', file], env: {} };
      }
      case 'balancer': {
        const file = conf('haproxy.cfg');
        const engines = parts.filter(({ role }) => role === 'engine');
        writeBalancerConfiguration(file, {
          address: `${part.host}:${part.ports.main}`,
          socket: adminSocket(folder),
          engines: engines.map(({ name }) => ({ name, address: addressFor(links, part.name, name) })),
        });
        return { program: required(findHaproxy()), args: ['-W', '-f', file], env: {} };
      }
      default:
        return productLaunch(plan, part);
    }
  };
  const configured = { ...state, parts: parts.map((part) => ({ ...part, launch: launchOf(part) })) };
  if (account) for (const name of ['conf', 'keys']) await giveAll(join(folder, name), account);
  return configured;
};

/**
 * Starts the pair of PostgreSQL servers: first the primary with an empty database, then the standby. From then on, the
 * standby confirms each commit.
 */
const startDatabases = async (state: FleetState, account: Account | undefined): Promise<void> => {
  const { folder } = state;
  const primary = partOf(state, 'postgres-1');
  await makeFolder(state, primary, account);
  const programs = join(primary.launch.program, '..');
  await initialisePrimary(primary, state, programs, account);
  await startPart(folder, primary.name, account);
  await untilAnswers(state, primary, false);
  await createDatabase(state, primary);
  await attachStandby(folder, 'postgres-2', account);
};

/**
 * Brings up a fleet and returns its folder. Nothing remains if a part does not start.
 * @throws Error if a program is missing, if the folder has a fleet, or if a part does not start.
 */
export const bringUp = async (options: FleetOptions): Promise<string> => {
  const { netns = false, settings = {}, tell = () => undefined } = options;
  const folder = resolve(options.folder ?? defaultFolder());
  const size = {
    ...usual,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  } as FleetSize;
  checkOptions(folder, size, settings);
  const account = await fleetAccount();
  await makeFolders(folder, account);
  try {
    const planned = await planFleet(folder, size, netns, settings);
    writeState(planned);
    if (netns) await makeNamespaces(planned.parts);
    const state = await configure(planned, account, options.transcriberProgram);
    writeState(state);
    const named = (role: Part['role']): string[] =>
      state.parts.filter((part) => part.role === role).map(({ name }) => name);
    const startAll = async (names: readonly string[]): Promise<void> => {
      for (const name of names) await launch(folder, name, account);
      for (const name of names) await untilReady(folder, name);
      if (names.length > 0) tell(`${names.join(', ')}: ready`);
    };
    await startAll(named('relay'));
    // Bus and database start at the same time. A failure is reported only after both attempts have ended.
    const results = await Promise.allSettled([
      startAll(named('nats')),
      startDatabases(state, account).then(() => tell('postgres-1, postgres-2: ready')),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    await startAll(named('transcriber'));
    await startAll(named('sidecar'));
    await startAll(named('engine'));
    await startAll(named('balancer'));
    return folder;
  } catch (error) {
    if (hasState(folder)) await takeDown(folder, { quick: true });
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
