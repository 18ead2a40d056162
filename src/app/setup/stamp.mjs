/**
 * A stamp records the inputs of a step, such as sources. The step runs again only if the content of its inputs has
 * changed. Dates of files do not matter. Stamps are in `.cochlea/stamps` of the checkout.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Returns all files below the given paths that the filter accepts, sorted. Missing paths are skipped. */
export const filesBelow = (paths, accept = () => true) => {
  const found = [];
  for (const path of paths) {
    if (!existsSync(path)) continue;
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath ?? entry.path, entry.name);
        if (entry.isFile() && accept(file)) found.push(file);
      }
    } else if (accept(path)) found.push(path);
  }
  return found.sort();
};

/** Returns the SHA-256 over names and contents of files, and over other values that affect the output. */
export const contentHash = (root, files, values = []) => {
  const hash = createHash('sha256');
  for (const value of values) hash.update(`${value}\0`);
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};

const stampFile = (root, name) => join(root, '.cochlea', 'stamps', name);

/** Checks whether the step was last completed with this value and its output still exists. */
export const isFresh = (root, name, value, output) => {
  if (output && !existsSync(output)) return false;
  try {
    return readFileSync(stampFile(root, name), 'utf8') === value;
  } catch {
    return false;
  }
};

export const writeStamp = (root, name, value) => {
  const file = stampFile(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
};
