import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeDurableFolder } from './durable-files.js';
import { isAlive, processToken } from './process-token.js';

/**
 * Spills on disk, one folder each, named after their owner: `engine~shard~process~kind~number`. `live` is what a
 * journal writes; `left` is what somebody found of a journal that is gone and replays. A folder is taken over by
 * renaming it, which only one of several can do, so the number of shards may change between runs.
 */
interface FolderName {
  readonly engine: string;
  readonly shard: number;
  readonly token: string;
  readonly kind: 'live' | 'left';
  readonly number: string;
}

const parse = (name: string): FolderName | undefined => {
  const [engine, shard, token, kind, number] = name.split('~');
  if (!engine || !shard || !token || (kind !== 'live' && kind !== 'left')) return undefined;
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
const nextNumber = (): string => `${String(Date.now()).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;

export class SpillFolders {
  readonly #root: string;
  readonly #engine: string;
  readonly #shard: number;
  /** No folder is left once this was found; folders of the living never become leftovers of this process. */
  #allReplayed = false;

  constructor(root: string, engine: string, shard: number) {
    this.#root = root;
    this.#engine = engine.replace(/[^\w.-]/g, '_');
    this.#shard = shard;
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
      const ours =
        folder.token === processToken() && folder.shard === this.#shard && folder.engine === this.#engine;
      if (!ours && isAlive(folder.token)) continue;
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
    if (this.#allReplayed) return false;
    const remaining = (await this.#ofFamily()).some((name) => {
      const folder = parse(name)!;
      return folder.kind === 'left' || !isAlive(folder.token);
    });
    this.#allReplayed = !remaining;
    return remaining;
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
