import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeDurableFolder } from './durable-files.js';
import { isAlive, processToken } from './process-token.js';

/**
 * Spills on disk. Each spill has one folder, named after its owner: `engine~shard~process~kind~number`. A journal writes to a `live`
 * folder. A `left` folder belonged to a journal that has ended, and must be replayed. A `held` folder was copied for the replay, because
 * a hanging thread may still have it open. It is also replayed once its process has ended. A journal takes over a folder by renaming it.
 * Only one of several journals succeeds, so the number of shards may change between runs.
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
 * Family of an engine process. Processes that share a port are one family with the ids `ID`, `ID-1`, `ID-2`. A stream may reconnect to
 * any of them, and the next start may have fewer.
 */
const familyOf = (engine: string): string => /^([0-9a-f-]{36})-\d+$/.exec(engine)?.[1] ?? engine;

/** Number of a folder, which orders the folders of a journal by time. The random part makes folders of different shards distinct. */
const numberAt = (time: string): string => `${time}-${randomBytes(4).toString('hex')}`;
const nextNumber = (): string => numberAt(String(Date.now()).padStart(15, '0'));

export class SpillFolders {
  readonly #engine: string;
  readonly #surrenders: () => number;
  /** Number of surrenders when no leftover remained. No folder becomes a leftover before the next surrender. */
  #replayedAt: number | undefined;

  /** @param surrenders returns how often a shard of this process surrendered its folders. */
  constructor(
    private readonly root: string,
    engine: string,
    private readonly shard: number,
    surrenders = () => 0,
  ) {
    this.#engine = engine.replace(/[^\w.-]/g, '_');
    this.#surrenders = surrenders;
  }

  /** Path of a new spill folder. The folder is made when the spill is opened. */
  create(): string {
    // Spills contain people's speech, so only the owner may read them.
    makeDurableFolder(this.root, 0o700);
    const name = { engine: this.#engine, shard: this.shard, token: processToken() };
    return join(this.root, format({ ...name, kind: 'live', number: nextNumber() }));
  }

  /**
   * Takes over the spills of ended processes of the family, and of this shard's earlier thread.
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
        // Another shard took the folder first.
        if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      }
    }
    return claimed;
  }

  /**
   * Whether the spill of an earlier run still waits for its replay. Stored conversations may then lack acknowledged segments, so no stream
   * may continue them.
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
   * A hanging thread may have its LMDB environment open, even locked for writing. LMDB shares one environment among the threads of a
   * process, so another thread that opened it might hang too. The data file is copied instead. The copy contains every committed entry:
   * LMDB never writes to pages that the last commit refers to. The lost thread can commit at most once more, because it will not run
   * JavaScript again.
   * @param exited whether that thread has ended.
   * @throws the file system's error. A folder that could not be copied is replayed once the process has ended.
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

  /** Renames a folder that cannot be opened, so that an operator can examine it. */
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
