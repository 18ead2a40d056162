import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeDurableFolder } from './durable-files.js';
import { isAlive, processToken } from './process-token.js';

/**
 * Spills on disk, one folder each, named after their owner: `engine~shard~process~kind~number`. `live` is what a
 * journal writes; `left` is what was found of a journal that is gone, to be replayed. `held` was copied for the replay,
 * because a thread that hangs may still have it open; it is found again when its process is gone. A folder is taken over
 * by renaming it, which only one of several can do, so the number of shards may change between runs.
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
 * Engine processes that share a port are one family, `ID`, `ID-1`, `ID-2`: a stream may come back to any of them, and
 * there may be fewer at the next start.
 */
const familyOf = (engine: string): string => /^([0-9a-f-]{36})-\d+$/.exec(engine)?.[1] ?? engine;

/** Orders the folders of a journal; the random part keeps those of different shards apart under one owner. */
const numberAt = (time: string): string => `${time}-${randomBytes(4).toString('hex')}`;
const nextNumber = (): string => numberAt(String(Date.now()).padStart(15, '0'));

export class SpillFolders {
  readonly #root: string;
  readonly #engine: string;
  readonly #shard: number;
  readonly #surrenders: () => number;
  /** Surrenders there had been when no folder was left. Until the next one folders do not become leftovers. */
  #replayedAt: number | undefined;

  /** @param surrenders how often a shard of this process surrendered its folders. */
  constructor(root: string, engine: string, shard: number, surrenders = () => 0) {
    this.#root = root;
    this.#engine = engine.replace(/[^\w.-]/g, '_');
    this.#shard = shard;
    this.#surrenders = surrenders;
  }

  /** The path of a new folder to spill into; it is made when it is first written. */
  create(): string {
    // What people said lies in it.
    makeDurableFolder(this.#root, 0o700);
    const name = { engine: this.#engine, shard: this.#shard, token: processToken() };
    return join(this.#root, format({ ...name, kind: 'live', number: nextNumber() }));
  }

  /**
   * Takes over what journals left that are gone: of dead processes of the family, and of this shard's own earlier
   * thread. Oldest first.
   */
  async claim(): Promise<string[]> {
    const claimed: string[] = [];
    for (const name of await this.#ofFamily()) {
      const folder = parse(name)!;
      if (!this.#isOurs(folder) && isAlive(folder.token)) continue;
      const target = join(
        this.#root,
        format({ ...folder, engine: this.#engine, shard: this.#shard, token: processToken(), kind: 'left' }),
      );
      try {
        await rename(join(this.#root, name), target);
        claimed.push(target);
      } catch (thrown) {
        // Another shard was faster.
        if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      }
    }
    return claimed;
  }

  /**
   * Whether some shard still has to replay what an earlier run left: until then a stored conversation may lack
   * acknowledged segments, so nobody may continue it.
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
   * Lets the next journal of this shard replay what the last one wrote, whose thread is lost. Called on the main thread.
   *
   * A thread that hangs may have its environment open, even locked for writing, and LMDB shares one environment among the
   * threads of a process: a thread that opened it again might hang too. Its data file is copied then. What is committed in it
   * is whole in the copy: LMDB never writes to pages that the last commit refers to, and the thread can commit at most
   * once more, since it runs no JavaScript again.
   * @param exited whether that thread is gone.
   * @throws what the file system throws; a folder that could not be copied is replayed when the process is gone.
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
    const part = join(this.#root, `copy-${name}`);
    try {
      await mkdir(part, { mode: 0o700 });
      await copyFile(join(this.#root, name, 'data.mdb'), join(part, 'data.mdb'));
      const copy = format({ ...folder, kind: 'left', number: numberAt(folder.number.slice(0, 15)) });
      await rename(part, join(this.#root, copy));
    } finally {
      await rm(part, { recursive: true, force: true });
      await this.#renameTo(name, { ...folder, kind: 'held' });
    }
  }

  #renameTo(name: string, folder: FolderName): Promise<void> {
    return rename(join(this.#root, name), join(this.#root, format(folder)));
  }

  #isOurs({ token, shard, engine, kind }: FolderName): boolean {
    return kind !== 'held' && token === processToken() && shard === this.#shard && engine === this.#engine;
  }

  /** Puts a folder that cannot be opened out of the way, for a person to look at. */
  async setAside(path: string): Promise<void> {
    await rename(path, join(this.#root, `damaged-${basename(path)}`));
  }

  async #ofFamily(): Promise<string[]> {
    if (!existsSync(this.#root)) return [];
    const names = await readdir(this.#root);
    return names
      .filter((name) => {
        const folder = parse(name);
        return folder !== undefined && familyOf(folder.engine) === familyOf(this.#engine);
      })
      .sort((a, b) => parse(a)!.number.localeCompare(parse(b)!.number));
  }
}
