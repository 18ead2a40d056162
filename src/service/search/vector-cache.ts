import pLimit from 'p-limit';
import { fixedLimits } from '../../config/limits/index.js';
import type { Sql } from '../../store/client/index.js';
import {
  type SearchedKind,
  type Standpoint,
  storedVectors,
  vectorsBefore,
  vectorsSince,
} from '../../store/search/index.js';
import { VectorSet } from './vector-set.js';

/** The vectors of one user and kind of record. */
export interface UserVectors {
  readonly set: VectorSet;
  /** Whether some of the user's records have no vector yet. */
  readonly missing: boolean;
}

interface Held extends UserVectors {
  readonly standpoint: Standpoint;
}

/**
 * The reads of one user's vectors of one kind. They run one after the other, because each read continues at the end of
 * the previous read.
 */
interface Turn {
  tail: Promise<unknown>;
  /** A read that has not begun. Callers that ask before it begins share its result. */
  waiting: Promise<UserVectors> | undefined;
}

/** Maximum number of vectors that one statement reads. */
const page = 2000;
/** Number of users whose vectors may be read completely at the same time. Reading takes several times the memory of the stored vectors. */
const wholeReads = 2;
/**
 * Number of rows by which a set may exceed `mostRows` when changes are added. If a set exceeds it by more, all its
 * vectors are read again.
 */
const surplus = 1000;

/** Returns the key of a user's vectors of one kind. A kind contains no space, so two users never share a key. */
const keyOf = (uid: string, kind: SearchedKind): string => `${kind} ${uid}`;

export interface VectorCacheOptions {
  readonly sql: Sql;
  readonly dimensions: number;
  /**
   * Maximum bytes of the vectors of all users together. If they exceed this size, the sets that were not used for the
   * longest time are dropped.
   */
  readonly mostBytes: number;
  /** Maximum number of vectors of one user and kind. Default: `vectorsPerUser`. */
  readonly mostRows?: number;
}

/**
 * Keeps in memory the vectors of users who search. Each call of `current` reads the changes since the last read. The
 * changes include rows of other processes, and rows of transactions that committed late. The cache does not detect
 * deleted records. The caller reads the records in any case, and passes the ids of missing records to `prune`.
 */
export class VectorCache {
  readonly #options: VectorCacheOptions & { readonly mostRows: number };
  /** The sets in memory, least recently used first. */
  readonly #held = new Map<string, Held>();
  readonly #turns = new Map<string, Turn>();
  readonly #whole = pLimit(wholeReads);

  constructor(options: VectorCacheOptions) {
    this.#options = { mostRows: fixedLimits.vectorsPerUser.value, ...options };
  }

  /** Bytes of all sets in memory. */
  get bytes(): number {
    let sum = 0;
    for (const { set } of this.#held.values()) sum += set.bytes;
    return sum;
  }

  /**
   * Returns the vectors of a user, including all that were stored before this call. Later calls change the returned
   * object.
   */
  current(uid: string, kind: SearchedKind): Promise<UserVectors> {
    const key = keyOf(uid, kind);
    const turn = this.#turnOf(key);
    turn.waiting ??= this.#inTurn(key, turn, () => {
      turn.waiting = undefined;
      return this.#read(key, uid, kind);
    });
    return turn.waiting;
  }

  /** Removes those of the given ids whose rows no longer exist. */
  prune(uid: string, kind: SearchedKind, ids: readonly string[]): Promise<void> {
    const key = keyOf(uid, kind);
    return this.#inTurn(key, this.#turnOf(key), async () => {
      const held = this.#held.get(key);
      if (held === undefined || ids.length === 0) return;
      const stored = await storedVectors(this.#options.sql, uid, kind, ids);
      for (const id of ids) if (!stored.has(id)) held.set.remove(id);
    });
  }

  #turnOf(key: string): Turn {
    const known = this.#turns.get(key);
    if (known) return known;
    const turn: Turn = { tail: Promise.resolve(), waiting: undefined };
    this.#turns.set(key, turn);
    return turn;
  }

  #inTurn<Result>(key: string, turn: Turn, work: () => Promise<Result>): Promise<Result> {
    const result = turn.tail.then(work);
    const tail = result
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (turn.tail === tail) this.#turns.delete(key);
      });
    turn.tail = tail;
    return result;
  }

  async #read(key: string, uid: string, kind: SearchedKind): Promise<UserVectors> {
    const held = this.#held.get(key);
    const changed = held && (await this.#changes(held, uid, kind));
    const current = changed ?? (await this.#whole(() => this.#readAll(uid, kind)));
    this.#held.delete(key);
    this.#held.set(key, current);
    this.#bound();
    return current;
  }

  /** Reads the changed rows. Returns undefined if all vectors must be read again. */
  async #changes({ set, standpoint }: Held, uid: string, kind: SearchedKind): Promise<Held | undefined> {
    const { rows, seen, server, missing } = await vectorsSince(
      this.#options.sql,
      uid,
      kind,
      standpoint,
      page,
    );
    // A restarted server may have restored an older copy of its files, so everything is read again.
    if (server !== standpoint.server || rows.length === page) return undefined;
    for (const row of rows) set.put(row);
    return set.size > this.#options.mostRows + surplus
      ? undefined
      : { set, missing, standpoint: { seen, server } };
  }

  async #readAll(uid: string, kind: SearchedKind): Promise<Held> {
    const { sql, dimensions, mostRows } = this.#options;
    const set = new VectorSet(dimensions);
    let standpoint: Standpoint | undefined;
    let before: string | null = null;
    let missing = false;
    while (set.size < mostRows) {
      const part = await vectorsBefore(sql, uid, kind, before, Math.min(page, mostRows - set.size));
      // Keeps the database snapshot of the first page (`Standpoint`): rows that change while later pages are
      // read must be read again.
      standpoint ??= { seen: part.seen, server: part.server };
      missing = part.missing;
      for (const row of part.rows) set.put(row);
      if (part.rows.length < page) break;
      before = part.rows.at(-1)!.id;
    }
    return { set, missing, standpoint: standpoint! };
  }

  #bound(): void {
    let bytes = this.bytes;
    for (const [key, { set }] of this.#held) {
      if (bytes <= this.#options.mostBytes) return;
      this.#held.delete(key);
      bytes -= set.bytes;
    }
  }
}
