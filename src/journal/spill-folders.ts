import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeDurableFolder } from './durable-files.js';
import { isAlive, processToken } from './process-token.js';

/**
 * Names and moves the folders of spills. Each spill has one folder, named after its owner:
 * `engine~shard~process~kind~number`. A journal writes to a `live` folder. A `left` folder belonged to a journal that
 * has ended, and must be replayed. A `held` folder is replayed only after its process has ended. A folder is held for
 * one of two reasons. A hanging thread may still have the folder open, so that a copy of the folder is replayed first.
 * Or only a newer program can read an entry in the folder.
 *
 * A journal takes over a folder by renaming it. If several journals try, only one succeeds. A journal can also take
 * over folders of other shards, so the number of shards may change between runs.
 */
interface FolderName {
  readonly engine: string;
  readonly shard: number;
  readonly token: string;
  readonly kind: 'live' | 'left' | 'held';
  readonly number: string;
}

const parse = (name: string): FolderName | undefined => {
  const [engine, shard, token, kind, number] = name.split('~');
  if (!engine || !shard || !token) return undefined;
  if (kind !== 'live' && kind !== 'left' && kind !== 'held') return undefined;
  if (number === undefined || !/^\d{15}-[0-9a-f]{8}$/.test(number)) return undefined;
  return { engine, shard: Number(shard), token, kind, number };
};

const format = (name: FolderName): string =>
  [name.engine, name.shard, name.token, name.kind, name.number].join('~');

/**
 * Returns the family of an engine process. Processes that share a port are one family and have the ids `ID`, `ID-1`,
 * `ID-2`. They replay one another's spills, because a stream may reconnect to any of them. Also, there may be fewer
 * processes after the next start.
 */
const familyOf = (engine: string): string => /^([0-9a-f-]{36})-\d+$/.exec(engine)?.[1] ?? engine;

/**
 * Returns a new number for a folder. It begins with the time, so that the folders of a journal sort by time. The random
 * part distinguishes folders of different shards.
 */
const numberAt = (time: string): string => `${time}-${randomBytes(4).toString('hex')}`;
const nextNumber = (): string => numberAt(String(Date.now()).padStart(15, '0'));

export class SpillFolders {
  readonly #engine: string;
  readonly #surrenders: () => number;
  /**
   * Value of `#surrenders()` when all spills of earlier runs had been replayed. While `#surrenders()` returns the same
   * value, no folder waits for a replay.
   */
  #replayedAt: number | undefined;

  /** @param surrenders returns how often this process has released the folders of a lost shard. */
  constructor(
    private readonly root: string,
    engine: string,
    private readonly shard: number,
    surrenders = () => 0,
  ) {
    this.#engine = engine.replace(/[^\w.-]/g, '_');
    this.#surrenders = surrenders;
  }

  /** Returns the path of a new spill folder. The folder itself is created when the spill is opened. */
  create(): string {
    // Spills contain people's speech, so only the owner may read them.
    makeDurableFolder(this.root, 0o700);
    const name = { engine: this.#engine, shard: this.shard, token: processToken() };
    return join(this.root, format({ ...name, kind: 'live', number: nextNumber() }));
  }

  /**
   * Takes over the spills of ended processes of the same family, and the spills of this shard's earlier thread.
   * @returns paths of the folders, oldest first.
   */
  async claim(): Promise<string[]> {
    const claimed: string[] = [];
    for (const name of await this.#ofFamily()) {
      const folder = parse(name)!;
      if (!this.#isOurs(folder) && isAlive(folder.token)) continue;
      const target = join(
        this.root,
        format({ ...folder, engine: this.#engine, shard: this.shard, token: processToken(), kind: 'left' }),
      );
      try {
        await rename(join(this.root, name), target);
        claimed.push(target);
      } catch (thrown) {
        // Another shard has already taken the folder.
        if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      }
    }
    return claimed;
  }

  /**
   * Whether the spill of an earlier run still waits for its replay. If so, stored conversations may lack segments that
   * clients believe stored, and no stream may continue a stored conversation yet.
   */
  async leftoversRemain(): Promise<boolean> {
    const surrenders = this.#surrenders();
    if (this.#replayedAt === surrenders) return false;
    const remaining = (await this.#ofFamily()).some((name) => {
      const folder = parse(name)!;
      return folder.kind === 'left' || !isAlive(folder.token);
    });
    if (!remaining) this.#replayedAt = surrenders;
    return remaining;
  }

  /**
   * Releases the spill of this shard's lost thread so that the next journal can replay it. Called on the main thread.
   *
   * A hanging thread may have its LMDB environment open and locked for writing. LMDB shares an environment among the
   * threads of a process, so another thread that opens it might hang too. Therefore the data file is copied. The copy
   * contains every committed entry, because LMDB never writes to pages that the last commit uses. The lost thread can
   * commit at most once more, because it does not run JavaScript again.
   * @param exited whether that thread has ended.
   * @throws the file system's error. A folder that could not be copied is replayed after the process has ended.
   */
  async surrender(exited: boolean): Promise<void> {
    for (const name of await this.#ofFamily()) {
      const folder = parse(name)!;
      if (!this.#isOurs(folder)) continue;
      if (!exited) await this.#setCopyFree(name, folder);
      else if (folder.kind === 'live') await this.#renameTo(name, { ...folder, kind: 'left' });
    }
  }

  async #setCopyFree(name: string, folder: FolderName): Promise<void> {
    const part = join(this.root, `copy-${name}`);
    try {
      await mkdir(part, { mode: 0o700 });
      await copyFile(join(this.root, name, 'data.mdb'), join(part, 'data.mdb'));
      const copy = format({ ...folder, kind: 'left', number: numberAt(folder.number.slice(0, 15)) });
      await rename(part, join(this.root, copy));
    } finally {
      await rm(part, { recursive: true, force: true });
      await this.#renameTo(name, { ...folder, kind: 'held' });
    }
  }

  #renameTo(name: string, folder: FolderName): Promise<void> {
    return rename(join(this.root, name), join(this.root, format(folder)));
  }

  #isOurs({ token, shard, engine, kind }: FolderName): boolean {
    return kind !== 'held' && token === processToken() && shard === this.shard && engine === this.#engine;
  }

  /** Leaves a folder for a later process, because only a newer program can read an entry in it. */
  async hold(path: string): Promise<void> {
    const name = basename(path);
    await this.#renameTo(name, { ...parse(name)!, kind: 'held' });
  }

  /** Renames a folder that cannot be opened to `damaged-...`, so that an operator can examine it. */
  async setAside(path: string): Promise<void> {
    await rename(path, join(this.root, `damaged-${basename(path)}`));
  }

  async #ofFamily(): Promise<string[]> {
    if (!existsSync(this.root)) return [];
    const names = await readdir(this.root);
    return names
      .filter((name) => {
        const folder = parse(name);
        return folder !== undefined && familyOf(folder.engine) === familyOf(this.#engine);
      })
      .sort((a, b) => parse(a)!.number.localeCompare(parse(b)!.number));
  }
}
