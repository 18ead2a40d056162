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

/** The vectors of a user. */
export interface UserVectors {
  readonly set: VectorSet;
  /** Whether some of the user's records have none yet. */
  readonly missing: boolean;
}

interface Held extends UserVectors {
  readonly standpoint: Standpoint;
}

/** Statements about the vectors of one user and kind run one after the other, because each begins where the last one ended. */
interface Turn {
  tail: Promise<unknown>;
  /** A read that has not begun. It sees what is stored until then, so all who ask meanwhile share it. */
  waiting: Promise<UserVectors> | undefined;
}

/** Vectors read by one statement. */
const page = 2000;
/** Users whose vectors are read as a whole at the same time: a page takes several times the memory of what is kept of it. */
const wholeReads = 2;
/** Rows beyond that which changes may add before everything is read again. */
const surplus = 1000;

/** A kind has no space, so two users never share a key. */
const keyOf = (uid: string, kind: SearchedKind): string => `${kind} ${uid}`;

export interface VectorCacheOptions {
  readonly sql: Sql;
  readonly dimensions: number;
  /** Bytes of all sets together; of those that were used longest ago the memory is given up. */
  readonly mostBytes: number;
  /** Vectors of one user and kind; another number is for tests. */
  readonly mostRows?: number;
}

/**
 * The vectors of users who search, kept in memory. What another process has stored, or a transaction that ended late, is seen by
 * the next `current`: its statement asks for what has changed since the last one. Deleted records are not noticed: the caller, which
 * reads the records anyway, names those that it did not find to `prune`.
 */
export class VectorCache {
  readonly #options: VectorCacheOptions & { readonly mostRows: number };
  /** The least recently used first. */
  readonly #held = new Map<string, Held>();
  readonly #turns = new Map<string, Turn>();
  readonly #whole = pLimit(wholeReads);

  constructor(options: VectorCacheOptions) {
    this.#options = { mostRows: fixedLimits.vectorsPerUser.value, ...options };
  }

  /** Bytes that are held. */
  get bytes(): number {
    let sum = 0;
    for (const { set } of this.#held.values()) sum += set.bytes;
    return sum;
  }

  /** The vectors of a user, as they are stored when this is called or later. Later calls change what this returns. */
  current(uid: string, kind: SearchedKind): Promise<UserVectors> {
    const key = keyOf(uid, kind);
    const turn = this.#turnOf(key);
    turn.waiting ??= this.#inTurn(key, turn, () => {
      turn.waiting = undefined;
      return this.#read(key, uid, kind);
    });
    return turn.waiting;
  }

  /** Removes those of these ids whose rows are gone. */
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

  /** undefined when it is better to read everything. */
  async #changes({ set, standpoint }: Held, uid: string, kind: SearchedKind): Promise<Held | undefined> {
    const { rows, seen, server, missing } = await vectorsSince(
      this.#options.sql,
      uid,
      kind,
      standpoint,
      page,
    );
    // A server that was started anew may have come back with an older copy of its files.
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
      // Of the first part: what changes while the others are read is read again.
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
