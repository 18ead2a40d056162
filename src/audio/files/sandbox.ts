import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Isolates a program that reads untrusted files from the rest of this machine. */
export interface Sandbox {
  /**
   * `bwrap` and `unshare` are sandboxes: no network, no other processes, and no files except the system's programs and
   * standard input. `none`: the program runs with all rights of its user.
   */
  readonly kind: 'bwrap' | 'unshare' | 'none';
  /** First words of the command line. The program and its arguments follow. */
  readonly words: readonly string[];
}

const run = promisify(execFile);
/** Timeout in ms for starting a program in a sandbox. */
const trial = 10_000;

/** Folders with programs and libraries. A folder that does not exist is left out. */
const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/gnu/store'];
/** Further paths that locate libraries and programs. A path that does not exist is left out. */
const others = ['/etc/ld.so.cache', '/etc/alternatives'];

const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();

/**
 * Returns the paths that are visible in the sandbox. `links`: symbolic links. `places`: all other paths, including the
 * program's.
 */
const seen = (program: string): { readonly links: readonly string[]; readonly places: readonly string[] } => {
  const there = folders.filter((path) => existsSync(path));
  const isWithin = there.some((path) => program.startsWith(`${path}/`));
  return {
    links: there.filter(isLink),
    places: [
      ...there.filter((path) => !isLink(path)),
      ...others.filter((path) => existsSync(path)),
      ...(isWithin ? [] : [program]),
    ],
  };
};

/**
 * Returns the sandbox of bubblewrap.
 * @param processes arguments that provide `/proc`. Containers may forbid a new `/proc`. The existing `/proc` reveals
 *   little about other users.
 */
const bubblewrap = (program: string, processes: readonly string[]): Sandbox => {
  const { links, places } = seen(program);
  return {
    kind: 'bwrap',
    words: [
      'bwrap',
      ...['user', 'ipc', 'pid', 'net', 'uts'].map((name) => `--unshare-${name}`),
      // Omits `--new-session`, because it would create a session with the usual priority. The process that starts the
      // sandbox already gives it a session with a low priority.
      ...['--unshare-cgroup-try', '--die-with-parent', '--cap-drop', 'ALL'],
      ...places.flatMap((path) => ['--ro-bind', path, path]),
      ...links.flatMap((path) => ['--symlink', readlinkSync(path), path]),
      ...processes,
      ...['--symlink', '/proc/self/fd/0', '/dev/stdin', '--chdir', '/', '--'],
    ],
  };
};

/**
 * Shell script that creates a root folder in memory, makes it the root and drops all capabilities. The arguments before
 * `--` are the visible paths. Uses programs of util-linux.
 */
const enter = `set -e
mount -t tmpfs -o mode=755,size=1m none /tmp
cd /tmp
mkdir proc dev old
while [ "$1" != -- ]; do
  if [ -L "$1" ]; then cp -P "$1" ".$1"
  else
    if [ -d "$1" ]; then mkdir -p ".$1"; else mkdir -p "./$(dirname "$1")"; : > ".$1"; fi
    mount --bind "$1" ".$1"
    mount -o remount,bind,ro,nosuid,nodev ".$1"
  fi
  shift
done
shift
mount -t proc proc proc
ln -s /proc/self/fd/0 dev/stdin
pivot_root . old
cd /
umount -l /old
exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all "$@"`;

const unshared = (program: string): Sandbox => {
  const { links, places } = seen(program);
  return {
    kind: 'unshare',
    words: [
      'unshare',
      ...['user', 'map-root-user', 'net', 'mount', 'pid', 'ipc', 'uts', 'fork'].map((name) => `--${name}`),
      ...['--kill-child=SIGKILL', '--', '/bin/sh', '-c', enter, 'sandbox', ...places, ...links, '--'],
    ],
  };
};

const none: Sandbox = { kind: 'none', words: [] };

/** Checks whether a program starts in a sandbox. */
const works = async ({ words }: Sandbox, program: string): Promise<boolean> => {
  const [first, ...rest] = words;
  return run(first!, [...rest, program, '-version'], { timeout: trial, killSignal: 'SIGKILL' }).then(
    () => true,
    () => false,
  );
};

/**
 * Returns the tightest sandbox in which a program starts on this machine: bubblewrap, else plain namespaces, else none.
 * The first two need a kernel that lets this user create namespaces, which many containers forbid.
 * @param path of the program. The test runs the program with `-version`.
 */
export const findSandbox = async (path: string): Promise<Sandbox> => {
  if (process.platform !== 'linux') return none;
  const program = await realpath(path);
  const known = [
    bubblewrap(program, ['--proc', '/proc']),
    bubblewrap(program, ['--ro-bind', '/proc', '/proc']),
    unshared(program),
  ];
  for (const sandbox of known) if (await works(sandbox, program)) return sandbox;
  return none;
};
