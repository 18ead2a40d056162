import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../checkout.js';
import { runProgram, tellingLine } from './program.js';

export interface BuildOptions {
  /**
   * Root folder of the checkout that runs the comparison. The commit to build is in the git repository of this
   * checkout.
   */
  readonly root: string;
  readonly tell: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Set-up steps of a checkout, from its own set-up code. Each step is skipped if its input has not changed. */
interface SetUp {
  installPackages(root: string): Promise<void>;
  /** @returns the reason why the build is impossible, in one line; undefined on success. */
  buildNative(root: string): Promise<string | undefined>;
  compile(root: string): Promise<void>;
}

const shortLength = 12;

const git = async (
  { root, signal }: Pick<BuildOptions, 'root' | 'signal'>,
  ...words: string[]
): Promise<string> => {
  const { code, output } = await runProgram('git', words, { cwd: root, signal });
  if (code !== 0) throw new Error(`git ${words[0]} failed: ${tellingLine(output)}`);
  return output.trim();
};

/** Resolves a name to its commit. @throws Error if no commit has this name. */
export const commitOf = async (
  ref: string,
  options: Pick<BuildOptions, 'root' | 'signal'>,
): Promise<string> => {
  try {
    return await git(options, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new Error(`there is no commit "${ref}"`, { cause: error });
  }
};

/** Counts the files below these paths that differ between two commits. */
export const differingFiles = async (
  from: string,
  paths: readonly string[],
  options: Pick<BuildOptions, 'root' | 'signal'>,
): Promise<number> => {
  const names = await git(options, 'diff', '--name-only', from, '--', ...paths);
  return names === '' ? 0 : names.split('\n').length;
};

/** Returns the commit of a checkout. A `+` is appended if files of the checkout differ from this commit. */
export const stateOf = async (options: Pick<BuildOptions, 'root' | 'signal'>): Promise<string> => {
  const changed = await git(options, 'status', '--porcelain', '--untracked-files=no');
  return (await git(options, 'rev-parse', 'HEAD')) + (changed === '' ? '' : '+');
};

const lockOf = (folder: string): string | undefined => {
  const file = join(folder, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Loads the set-up functions. They are plain JavaScript, because they run before anything is compiled. */
const loadSetUp = async (): Promise<SetUp> => {
  const part = (name: string): Promise<object> => import(new URL(`src/app/setup/${name}.mjs`, checkout).href);
  return { ...(await part('install')), ...(await part('build')) } as SetUp;
};

/**
 * Provides the packages of a commit's checkout. If its lock file equals that of `root`, it gets a link to the
 * `node_modules` of `root`. Otherwise the packages are installed.
 */
const providePackages = async (folder: string, root: string, setUp: SetUp): Promise<void> => {
  const modules = join(folder, 'node_modules');
  const shared = lockOf(folder) !== undefined && lockOf(folder) === lockOf(root);
  if (shared) {
    if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules, 'dir');
    return;
  }
  // The link is removed, because an installation through it would change the packages of the other checkout.
  if (isLink(modules)) unlinkSync(modules);
  await setUp.installPackages(folder);
};

/** Copies the encoded packet files from `root`. They are pinned by their hash, so the build need not encode them again. */
const copyPackets = (root: string, folder: string): void => {
  const kept = join(root, 'build', 'bench');
  if (!existsSync(kept)) return;
  for (const name of readdirSync(kept).filter((file) => file.endsWith('.packets'))) {
    const target = join(folder, 'build', 'bench', name);
    if (!existsSync(target)) cpSync(join(kept, name), target);
  }
};

const checkOut = async (folder: string, sha: string, options: BuildOptions): Promise<void> => {
  if (existsSync(folder)) {
    const there = await git({ ...options, root: folder }, 'rev-parse', 'HEAD');
    if (there === sha) return;
    throw new Error(`${folder} is no checkout of ${sha}: move it away`);
  }
  // `--force` is needed, because git may still list a worktree whose folder was deleted.
  await git(options, 'worktree', 'add', '--force', '--detach', folder, sha);
};

/**
 * Builds a commit as a git worktree in `build/ab/` of a checkout, or reuses an existing build. To delete a build, run
 * `git worktree remove --force`.
 * @returns the folder of the build.
 * @throws Error with one line when the build is impossible.
 */
export const buildCommit = async (sha: string, options: BuildOptions): Promise<string> => {
  const { root, tell, signal } = options;
  const place = join(root, 'build', 'ab');
  const folder = join(place, sha.slice(0, shortLength));
  tell(`${sha.slice(0, shortLength)} is built in ${folder}, unless it is there`);
  mkdirSync(place, { recursive: true });
  await checkOut(folder, sha, options);
  const setUp = await loadSetUp();
  await providePackages(folder, root, setUp);
  signal?.throwIfAborted();
  const why = await setUp.buildNative(folder);
  if (why !== undefined && process.env.COCHLEA_CORE !== 'portable') {
    throw new Error(`the native core of ${sha.slice(0, shortLength)} cannot be built: ${why}`);
  }
  signal?.throwIfAborted();
  await setUp.compile(folder);
  signal?.throwIfAborted();
  copyPackets(root, folder);
  return folder;
};
