/**
 * What has to be on the machine before anything of ours runs: a supported Node and, for the native core, a toolchain.
 */
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

/** @throws SetupFailure on a system whose processes, users and sockets the product does not know. */
export const requireSystem = (platform = process.platform) => {
  if (platform === 'linux' || platform === 'darwin') return;
  throw new SetupFailure(`Cochlea runs on Linux and macOS, not on ${platform}. On Windows use WSL 2.`);
};

/** What the native build needs: the Debian package, and how to tell that it (or its like) is there. */
const needs = [
  { name: 'cmake', present: () => answers('cmake', ['--version']) },
  { name: 'make', present: () => answers('make', ['--version']) || answers('ninja', ['--version']) },
  { name: 'g++', present: () => answers('c++', ['--version']) || answers('g++', ['--version']) },
  { name: 'pkg-config', present: () => answers('pkg-config', ['--version']) },
  { name: 'libopus-dev', present: () => answers('pkg-config', ['--exists', 'opus']) },
];

/** What single forms of audio need: without it they are refused, and everything else works. */
const extras = [
  { name: 'liblc3-dev', present: () => answers('pkg-config', ['--exists', 'lc3']) },
  // Decodes audio files of other forms than WAV of PCM and Ogg Opus.
  { name: 'ffmpeg', present: () => answers('ffmpeg', ['-version']) },
  // Keeps ffmpeg from the network and from other files. macOS has no like of it.
  { name: 'bubblewrap', present: () => process.platform !== 'linux' || answers('bwrap', ['--version']) },
];

/** Names of the Debian packages that are missing for the native build. */
export const missingPackages = (table = needs) =>
  table.filter((need) => !need.present()).map((need) => need.name);

/** The words before `apt-get`: nothing as root, `sudo -n` where it works without a prompt, else undefined. */
export const rootPrefix = (uid = process.geteuid?.()) => {
  if (uid === 0) return [];
  return answers('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
};

const aptWords = (prefix, args) => [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
const installArguments = (list) => ['install', '-y', '--no-install-recommends', ...list];

/** Runs the system's package manager, once the whole command was printed. */
export const aptGet = (prefix, args) => {
  const words = aptWords(prefix, args);
  say(`Running: ${words.join(' ')}`);
  return run(words[0], words.slice(1));
};

export const packageManager = '/usr/bin/apt-get';
export const install = (prefix, list) => aptGet(prefix, installArguments(list));

/** What Homebrew calls the like of a Debian package. The compiler and make come with Xcode's command line tools. */
const brewNames = { cmake: 'cmake', 'pkg-config': 'pkgconf', 'libopus-dev': 'opus', ffmpeg: 'ffmpeg' };

/**
 * What the user has to do where set-up installs nothing itself.
 * @param list names of Debian packages.
 */
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

/** The command that `install` would run, or what to do where this user cannot. */
export const installCommand = (list) => {
  if (!existsSync(packageManager)) return `${installByHand(list)} (not run)`;
  const prefix = rootPrefix();
  return prefix
    ? aptWords(prefix, installArguments(list)).join(' ')
    : `apt-get install ${list.join(' ')}, as root (not run: no password-less sudo)`;
};

/** Debian packages that set-up would try to install: those that the native core needs, and those that single forms of audio need. */
export const missingForCore = () => ({ needed: missingPackages(), extra: missingPackages(extras) });

/**
 * Installs the Debian packages the native core is built with, if any is missing and this user may.
 * @returns undefined when the toolchain is complete, otherwise what is missing and the remedy, in one line.
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
    // Package lists may be absent (fresh image) or stale: refresh them once.
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

/** Tried once and without refreshing lists, for it is tried on every run: a system may not have them at all. */
const provideExtras = async () => {
  const missing = missingPackages(extras);
  if (missing.length === 0 || !existsSync(packageManager)) return;
  const prefix = rootPrefix();
  if (!prefix) return;
  // One by one, so that one that the system does not have keeps no other away.
  for (const name of missing) await step(`Installing ${name}`, () => install(prefix, [name]));
};
