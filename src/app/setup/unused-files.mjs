/**
 * Some packages contain binaries for every system, processor and release of Node. This script removes the files that this machine never
 * loads. `node src/app/setup/unused-files.mjs --this-node` also removes files for other accepted releases of Node, for an image with a
 * fixed Node.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from './stamp.mjs';

/** ABI versions of Node 20, 22 and 24 for addons without Node-API. */
const acceptedAbis = ['115', '127', '137'];

/** Folders with binaries, and the pattern of their file names. Files that do not match the pattern are kept. */
const packages = [
  { folder: 'onnxruntime-node/bin', file: /^napi-v\d+\/(?<os>\w+)\/(?<arch>\w+)\// },
  { folder: 'uWebSockets.js/binaries', file: /^uws_(?<os>\w+)_(?<arch>\w+)_(?<abi>\d+)\.node$/ },
  { folder: '@btc-vision/uwebsockets.js', file: /^uws_(?<os>\w+)_(?<arch>\w+)_(?<abi>\d+)\.node$/ },
  { folder: '@evan/opus/node', file: /^(?<arch>\w+)-(?<os>\w+)\.node$/ },
];

/**
 * Returns the files in `node_modules` that a machine never loads.
 * @param options `os` and `arch` in Node's spelling; `abis`, the addon ABI versions of the Node releases in use.
 */
export const unusedFiles = (root, { os = process.platform, arch = process.arch, abis = acceptedAbis } = {}) =>
  packages.flatMap(({ folder, file }) => {
    const base = join(root, 'node_modules', folder);
    return filesBelow([base]).filter((path) => {
      const made = file.exec(relative(base, path).split(sep).join('/'))?.groups;
      if (!made) return false;
      return made.os !== os || made.arch !== arch || (made.abi !== undefined && !abis.includes(made.abi));
    });
  });

/** Removes the files of `unusedFiles`. @returns the number of freed bytes */
export const removeUnusedFiles = (root, options) => {
  let freed = 0;
  for (const path of unusedFiles(root, options)) {
    freed += statSync(path).size;
    rmSync(path);
  }
  return freed;
};

const self = fileURLToPath(import.meta.url);
if (process.argv[1] && existsSync(process.argv[1]) && process.argv[1] === self) {
  const abis = process.argv.includes('--this-node') ? [process.versions.modules] : acceptedAbis;
  const freed = removeUnusedFiles(join(dirname(self), '..', '..', '..'), { abis });
  process.stdout.write(`${(freed / 1e6).toFixed(0)} MB of files that this machine never loads removed\n`);
}
