/**
 * Makes the folders of one run of the suite: one for the bundle, and one for temporary files. The temporary files are
 * in memory if this machine has enough of it.
 */
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

/** Time in ms after which the folder of a killed run is removed. */
const keptFor = 86_400_000;
/** Path of Linux's file system in memory. */
const memory = '/dev/shm';
/** Free bytes that the file system must have. The databases and data folders of a complete run use less than a quarter. */
const wantedMemory = 4 * 1024 ** 3;

export interface RunFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Makes a folder for this run, and removes folders of killed runs.
 * @param parent folder that is made if it is missing.
 * @param mode permissions, because tests of privileges run the product as a different user.
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

/** Checks whether programs may be started from the folder. Tests write and start programs, which some systems forbid there. */
const executes = (folder: string): boolean => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
};

/**
 * Makes a folder in memory for the temporary files of a run. A test makes and deletes databases and data folders of a
 * thousand files. On a disk that takes longer than most tests. On ext4 without a journal, each new file also skips the
 * inodes deleted in the last minutes.
 * @returns undefined if the caller chose a folder (`TMPDIR`), or if such memory is missing, too small, or forbids
 * programs. Then the system's own folder is used.
 */
export const openMemoryFolder = (): RunFolder | undefined => {
  if (process.env.TMPDIR !== undefined || !hasRoom(memory)) return undefined;
  // As in the system's temporary folder, every user may make files, and only the owner of a file may remove it.
  const folder = openRunFolder(memory, 'cochlea-run-', 0o1777);
  if (executes(folder.path)) return folder;
  folder.remove();
  return undefined;
};
