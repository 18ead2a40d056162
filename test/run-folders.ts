/** The folders of one run of the suite: its bundle, and its temporary files, which are kept in memory where there is room. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Ms after which the folder of a run that was killed is removed. */
const keptFor = 86_400_000;
/** Where Linux has a file system in memory. */
const memory = '/dev/shm';
/** Bytes that have to be free there. The databases of a whole run and the data folders of its products take less than a quarter. */
const wantedMemory = 4 * 1024 ** 3;

export interface RunFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Makes a folder for this run, and removes those of earlier runs that were killed.
 * @param parent made where it is missing.
 * @param mode permissions: tests of privileges run the product as another user.
 */
export const openRunFolder = (parent: string, prefix: string, mode: number): RunFolder => {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const path = join(parent, name);
    if (Date.now() - statSync(path).mtimeMs > keptFor) rmSync(path, { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, prefix));
  chmodSync(path, mode);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

const hasRoom = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= wantedMemory;
  } catch {
    return false;
  }
};

/** Tests write programs and start them, which some systems forbid there. */
const executes = (folder: string): boolean => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
};

/**
 * A folder in memory for the temporary files of a run. A test makes and deletes databases and data folders of a thousand files;
 * on a disk that takes longer than most tests, and on ext4 without a journal each new file passes by the inodes of all that
 * were deleted within some minutes.
 * @returns undefined where the caller chose a folder (`TMPDIR`), or where there is no such memory, too little of it, or no
 *   program may be started from it: the system's own folder is used then.
 */
export const openMemoryFolder = (): RunFolder | undefined => {
  if (process.env.TMPDIR !== undefined || !hasRoom(memory)) return undefined;
  // As the system's own folder: everyone may make files, and remove only their own.
  const folder = openRunFolder(memory, 'cochlea-run-', 0o1777);
  if (executes(folder.path)) return folder;
  folder.remove();
  return undefined;
};
