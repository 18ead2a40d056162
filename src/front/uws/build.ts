import type uws from 'uWebSockets.js';
import { createRequire } from 'node:module';
import { nodeLimits } from '../node/index.js';

/** The functions of uWebSockets.js that are used, in any build. */
export type UwsModule = Pick<
  typeof uws,
  'App' | 'SSLApp' | 'us_listen_socket_close' | 'us_socket_local_port'
>;

/** A loaded build of uWebSockets.js. */
export interface UwsBuild {
  readonly uws: UwsModule;
  /** Package and version. */
  readonly name: string;
  /**
   * Whether an upgrade within the cork of its own response may end the new socket (before uNetworking/uWebSockets pull
   * request 1929). `SharedCork` works around it.
   */
  readonly needsSharedCork: boolean;
}

const require = createRequire(import.meta.url);
const { platform, arch, versions } = process;

interface Candidate extends Omit<UwsBuild, 'uws'> {
  readonly load: () => UwsModule;
}

/** Builds in the order of preference. Versions are those of `package.json`. */
const candidates: readonly Candidate[] = [
  {
    name: 'uWebSockets.js 20.57.0',
    needsSharedCork: false,
    load: () => {
      // The library reads this when it is loaded. By default it answers a head of more than 4096 bytes before any
      // handler runs, and a token alone may be longer.
      process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(nodeLimits.headerBytes);
      return require('@btc-vision/uwebsockets.js');
    },
  },
  {
    name: 'uWebSockets.js 20.30.0',
    needsSharedCork: true,
    // The binary itself: the package's entry point replaces a binary that does not load by an implementation in
    // JavaScript.
    load: () => require(`uWebSockets.js/binaries/uws_${platform}_${arch}_${versions.modules}.node`),
  },
];

const firstLine = (thrown: unknown): string => {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // The loaders of both packages put the system's message last. Node appends a list of callers to it.
  const line = lines.find((line) => /GLIBC|dlopen|NODE_MODULE_VERSION/.test(line)) ?? lines[0] ?? '';
  return line.trim().replace(/^Error: /, '');
};

/** A rejected build. */
export interface RefusedBuild {
  /** Package and version. */
  readonly name: string;
  /** In words for an operator. */
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
 * Loads the builds in order of preference, each once in a process. Yields the reason for a build that does not load
 * here.
 */
export function* uwsBuilds(): Generator<UwsBuild | RefusedBuild> {
  for (const [index, candidate] of candidates.entries()) {
    tried[index] ??= load(candidate);
    yield tried[index];
  }
}

export const isLoaded = (build: UwsBuild | RefusedBuild): build is UwsBuild => 'uws' in build;

/** Names of rejected builds, each with its reason. */
export const describeRefused = (builds: readonly RefusedBuild[]): string =>
  builds.map(({ name, why }) => `${name}: ${why}`).join('; ');

/** The first build that loads on this machine, tested or not. @returns the build, or the reasons if none loads. */
export const loadUws = (): UwsBuild | string => {
  const refused: RefusedBuild[] = [];
  for (const build of uwsBuilds()) {
    if (isLoaded(build)) return build;
    refused.push(build);
  }
  return describeRefused(refused);
};
