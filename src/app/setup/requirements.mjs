/** Requirements of this machine before the product runs: a supported Node and, for the native core, a toolchain. */
import { existsSync } from 'node:fs';
import { acceptedNode, nodeSupported } from './node-version.mjs';
import { answers, run, SetupFailure, say, step } from './shell.mjs';

export const requireNode = (version = process.version) => {
  if (!nodeSupported(version)) {
    throw new SetupFailure(
      `Node ${version} is not supported. Install ${acceptedNode()}, then run the same command again.`,
    );
  }
};

/** Checks the operating system. @throws SetupFailure if it is unsupported */
export const requireSystem = (platform = process.platform) => {
  if (platform === 'linux' || platform === 'darwin') return;
  throw new SetupFailure(`Cochlea runs on Linux and macOS, not on ${platform}. On Windows use WSL 2.`);
};

/** Debian packages that the native build needs. `present` tests for the package or an equivalent. */
const needs = [
  { name: 'cmake', present: () => answers('cmake', ['--version']) },
  { name: 'make', present: () => answers('make', ['--version']) || answers('ninja', ['--version']) },
  { name: 'g++', present: () => answers('c++', ['--version']) || answers('g++', ['--version']) },
  { name: 'pkg-config', present: () => answers('pkg-config', ['--version']) },
  { name: 'libopus-dev', present: () => answers('pkg-config', ['--exists', 'opus']) },
];

/** Debian packages for some audio formats. Without them these formats are refused, and everything else works. */
const extras = [
  { name: 'liblc3-dev', present: () => answers('pkg-config', ['--exists', 'lc3']) },
  // Decodes audio file formats other than PCM WAV and Ogg Opus.
  { name: 'ffmpeg', present: () => answers('ffmpeg', ['-version']) },
  // Isolates ffmpeg from the network and from other files. macOS has no equivalent.
  { name: 'bubblewrap', present: () => process.platform !== 'linux' || answers('bwrap', ['--version']) },
];

/** Returns the names of the Debian packages that are missing for the native build. */
export const missingPackages = (table = needs) =>
  table.filter((need) => !need.present()).map((need) => need.name);

/**
 * Returns the words to put before `apt-get`: no words for root, or `sudo -n` if it works without a prompt. Returns
 * undefined if neither is possible.
 */
export const rootPrefix = (uid = process.geteuid?.()) => {
  if (uid === 0) return [];
  return answers('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
};

const aptWords = (prefix, args) => [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
const installArguments = (list) => ['install', '-y', '--no-install-recommends', ...list];

/** Prints the whole command of the system's package manager, then runs it. */
export const aptGet = (prefix, args) => {
  const words = aptWords(prefix, args);
  say(`Running: ${words.join(' ')}`);
  return run(words[0], words.slice(1));
};

export const packageManager = '/usr/bin/apt-get';
export const install = (prefix, list) => aptGet(prefix, installArguments(list));

/** Homebrew names of Debian packages. The compiler and make come with Xcode's command line tools. */
const brewNames = { cmake: 'cmake', 'pkg-config': 'pkgconf', 'libopus-dev': 'opus', ffmpeg: 'ffmpeg' };

/** Returns instructions for the user when set-up itself installs nothing. @param list names of Debian packages. */
export const installByHand = (list, platform = process.platform) => {
  const names = list.join(' ');
  if (platform !== 'darwin') return `install the like of ${names} with this system's package manager`;
  const known = list.flatMap((name) => brewNames[name] ?? []);
  const parts = [
    ...(list.includes('g++') || list.includes('make') ? ['run "xcode-select --install"'] : []),
    ...(known.length > 0 ? [`run "brew install ${known.join(' ')}"`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : `install the like of ${names} from its source`;
};

/** Returns the command that `install` would run, or instructions if this user is not allowed to run the command. */
export const installCommand = (list) => {
  if (!existsSync(packageManager)) return `${installByHand(list)} (not run)`;
  const prefix = rootPrefix();
  return prefix
    ? aptWords(prefix, installArguments(list)).join(' ')
    : `apt-get install ${list.join(' ')}, as root (not run: no password-less sudo)`;
};

/** Returns the Debian packages that set-up would try to install: for the native core, and for some audio formats. */
export const missingForCore = () => ({ needed: missingPackages(), extra: missingPackages(extras) });

/**
 * Installs missing Debian packages of the native core if this user is allowed to.
 * @returns undefined if the toolchain is complete, otherwise the missing packages and the remedy in one line.
 */
export const provideToolchain = async () => {
  const missing = missingPackages();
  if (missing.length > 0) {
    const why = await provide(missing);
    if (why !== undefined) return why;
  }
  await provideExtras();
  return undefined;
};

const provide = async (missing) => {
  const list = missing.join(' ');
  if (!existsSync(packageManager)) return `missing ${list}; ${installByHand(missing)}`;
  const prefix = rootPrefix();
  const remedy = `run "apt-get install ${list}" as root`;
  if (!prefix) return `missing ${list}; ${remedy}`;
  const result = await step(`Installing ${list}`, async () => {
    const first = await install(prefix, missing);
    if (first.code === 0) return first;
    // Package lists may be absent (fresh image) or stale, so they are refreshed once.
    const refreshed = await aptGet(prefix, ['update']);
    return refreshed.code === 0 ? install(prefix, missing) : refreshed;
  });
  const still = missingPackages();
  if (still.length === 0) return undefined;
  const reason = result.output
    .split('\n')
    .filter((line) => line.startsWith('E: '))
    .at(-1)
    ?.slice(3);
  return `missing ${still.join(' ')}${reason ? ` (apt-get: ${reason})` : ''}; ${remedy}`;
};

/**
 * Installs the optional packages. Tries once without refreshing lists, because set-up runs often and some systems do
 * not offer these packages.
 */
const provideExtras = async () => {
  const missing = missingPackages(extras);
  if (missing.length === 0 || !existsSync(packageManager)) return;
  const prefix = rootPrefix();
  if (!prefix) return;
  // Installs one package at a time, so that an unavailable package does not block the others.
  for (const name of missing) await step(`Installing ${name}`, () => install(prefix, [name]));
};
