/** Installs the packages of package-lock.json with the npm that started this script. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, SetupFailure, step } from './shell.mjs';
import { removeUnusedFiles } from './unused-files.mjs';

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
};

/**
 * Checks whether `node_modules` matches the lock file by version and integrity. Optional packages may be absent.
 * Folders of the checkout (`bench`) are linked rather than installed, so their own entries do not count.
 */
export const installed = (root) => {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  // npm writes this file last, so an interrupted install does not have it.
  const found = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const present = found[path];
    if (!present) return entry.optional === true || entry.peer === true;
    return present.version === entry.version && present.integrity === entry.integrity;
  });
};

/** Returns one line that explains npm's output, with the remedy. */
export const explainNpm = (output) => {
  if (/ENOSPC|no space left/i.test(output))
    return 'No space left while installing packages. Free some space and run the same command again.';
  if (/EUSAGE|can only install packages when/i.test(output))
    return 'package-lock.json does not match package.json. Run "npm install" and commit the lock file.';
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'npm may not write here. Give this user the checkout (and its npm cache), then run the same command again.';
  if (/EINTEGRITY/.test(output))
    return 'A package does not have the pinned content (EINTEGRITY). Run "npm cache clean --force" and try again; if it stays, do not trust that registry.';
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|FETCH_ERROR|E40[34]|E50\d|network/i.test(
      output,
    )
  ) {
    return 'The package registry cannot be reached. Check the network, or point "npm config set registry" at one that answers, then run the same command again.';
  }
  const line =
    output.split('\n').find((text) => /npm (error|ERR!)/.test(text)) ??
    output.trim().split('\n').at(-1) ??
    '';
  return `npm ci failed: ${line.trim().slice(0, 200)}. Run "npm ci" to see its whole output.`;
};

/** Installs the packages of the lock file unless they are present. */
export const installPackages = async (root) => {
  if (installed(root)) return;
  // `npm_execpath` is the npm that runs this script. Another npm on the PATH may be older.
  const own = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const [command, first] = own ? [process.execPath, [own]] : ['npm', []];
  await step('Installing packages', async (report) => {
    let damaged = '';
    let reached = false;
    const npm = (...words) =>
      run(command, [...first, ...words, '--no-audit', '--no-fund', '--loglevel=http'], {
        cwd: root,
        onLine: (line, end) => {
          if (/TAR_ENTRY_ERROR/.test(line)) damaged ||= line;
          const fetched = /http fetch GET \d+ (\S+)/.exec(line);
          if (fetched) report(undefined, fetched[1].split('/').at(-1));
          reached ||= fetched !== null;
          // If the registry never answers, npm waits a minute for each package. Therefore npm is ended early.
          if (!reached && /http fetch GET \S+ attempt [2-9] failed/.test(line)) end();
        },
      });
    const result = await npm('ci');
    if (damaged) {
      // npm only warns about files that it could not unpack, but its record lists their packages as installed. The
      // record is therefore removed.
      rmSync(join(root, 'node_modules', '.package-lock.json'), { force: true });
      throw new SetupFailure(explainNpm(damaged));
    }
    if (result.code !== 0) throw new SetupFailure(explainNpm(result.output));
    removeUnusedFiles(root);
  });
};
