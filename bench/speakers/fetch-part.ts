import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkout } from '../checkout.js';

const run = promisify(execFile);

/** Files or folders to fetch from a public repository. */
export interface FetchedPart {
  readonly repository: string;
  /** Paths of files and folders. */
  readonly parts: readonly string[];
  /** Name of the folder in `build/bench` that receives them. */
  readonly name: string;
}

/**
 * Fetches parts of a repository with git, unless this was done before.
 * @returns the path of each part, in order. Undefined if they cannot be fetched.
 */
export const fetchPart = async ({
  repository,
  parts,
  name,
}: FetchedPart): Promise<readonly string[] | undefined> => {
  const kept = fileURLToPath(new URL(`build/bench/${name}`, checkout));
  const paths = parts.map((part) => join(kept, part));
  if (paths.every((path) => existsSync(path))) return paths;
  const draft = `${kept}-${process.pid}`;
  try {
    const clone = ['clone', '--quiet', '--depth', '1', '--filter=blob:none', '--sparse', repository, draft];
    await run('git', clone);
    await run('git', [
      '-C',
      draft,
      'sparse-checkout',
      'set',
      '--no-cone',
      ...parts.map((part) => `/${part}`),
    ]);
    await rm(kept, { recursive: true, force: true });
    await rename(draft, kept);
    return paths;
  } catch {
    return undefined;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};
