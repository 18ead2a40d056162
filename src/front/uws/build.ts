import type uws from 'uWebSockets.js';
import { createRequire } from 'node:module';
import { nodeLimits } from '../node/index.js';

/** The functions of uWebSockets.js that the front uses. Every build has them. */
export type UwsModule = Pick<
  typeof uws,
  'App' | 'SSLApp' | 'us_listen_socket_close' | 'us_socket_local_port'
>;

/** A loaded build of uWebSockets.js. */
export interface UwsBuild {
  readonly uws: UwsModule;
  /** Name and version of the package. */
  readonly name: string;
  /**
   * Whether an upgrade within the cork of its own response may end the new socket. uNetworking/uWebSockets pull request
   * 1929 fixed this fault; `SharedCork` avoids it in older builds.
   */
  readonly needsSharedCork: boolean;
}

const require = createRequire(import.meta.url);
const { platform, arch, versions } = process;

interface Candidate extends Omit<UwsBuild, 'uws'> {
  readonly load: () => UwsModule;
}

/** Builds in order of preference. The versions match `package.json`. */
const candidates: readonly Candidate[] = [
  {
    name: 'uWebSockets.js 20.57.0',
    needsSharedCork: false,
    load: () => {
      // uWebSockets.js reads this variable when it is loaded. By default it rejects a head of more than 4096 bytes
      // before any handler runs. A token alone may be longer.
      process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(nodeLimits.headerBytes);
      return require('@btc-vision/uwebsockets.js');
    },
  },
  {
    name: 'uWebSockets.js 20.30.0',
    needsSharedCork: true,
    // Loads the binary directly. If the binary does not load, the package's entry point would instead load an
    // implementation in JavaScript.
    load: () => require(`uWebSockets.js/binaries/uws_${platform}_${arch}_${versions.modules}.node`),
  },
];

const firstLine = (thrown: unknown): string => {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // The error of a package may begin with a general text. The reason, such as a missing version of glibc, is then in a
  // later line.
  const line = lines.find((line) => /GLIBC|dlopen|NODE_MODULE_VERSION/.test(line)) ?? lines[0] ?? '';
  return line.trim().replace(/^Error: /, '');
};

/** A build of uWebSockets.js that was rejected. */
export interface RefusedBuild {
  /** Name and version of the package. */
  readonly name: string;
  /** Reason why the build was rejected, as a text for the operator. */
  readonly why: string;
}

const tried: (UwsBuild | RefusedBuild)[] = [];

const load = ({ load: run, ...build }: Candidate): UwsBuild | RefusedBuild => {
  try {
    return { ...build, uws: run() };
  } catch (thrown) {
    return { name: build.name, why: `it does not load: ${firstLine(thrown)}` };
  }
};

/**
 * Loads the builds in order of preference. A process loads each build once. For a build that does not load here, yields
 * the reason.
 */
export function* uwsBuilds(): Generator<UwsBuild | RefusedBuild> {
  for (const [index, candidate] of candidates.entries()) {
    tried[index] ??= load(candidate);
    yield tried[index];
  }
}

export const isLoaded = (build: UwsBuild | RefusedBuild): build is UwsBuild => 'uws' in build;

/** Returns the names of rejected builds, each with its reason. */
export const describeRefused = (builds: readonly RefusedBuild[]): string =>
  builds.map(({ name, why }) => `${name}: ${why}`).join('; ');

/**
 * Returns the first build that loads on this machine. Does not run the self-test. If no build loads, returns the
 * reasons as a text.
 */
export const loadUws = (): UwsBuild | string => {
  const refused: RefusedBuild[] = [];
  for (const build of uwsBuilds()) {
    if (isLoaded(build)) return build;
    refused.push(build);
  }
  return describeRefused(refused);
};
