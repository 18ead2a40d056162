import { type Analysis, loadAnalysis } from '../../audio/index.js';
import { storableText, within } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import type { Period, Sql } from '../../store/client/index.js';
import { type MemoryRow, memoryRows } from '../../store/records/index.js';
import { matchWords, type SearchedKind } from '../../store/search/index.js';
import { type Backfill, startBackfill } from './backfill.js';
import { createEmbedder, type Embedder } from './embedder.js';
import { fillPage, type Ranked } from './fill-page.js';
import { startOlderConversations } from './older-conversations.js';
import { rankByBoth, rankByWords } from './rank.js';
import { VectorCache } from './vector-cache.js';
import type { VectorSet } from './vector-set.js';

export interface SearchRequest<Row> extends Period {
  readonly uid: string;
  readonly kind: SearchedKind;
  readonly text: string;
  readonly limit: number;
  /**
   * Returns those of the given records that may be shown, in any order. If a record is omitted, the next best record
   * takes its place on the page.
   */
  readonly read: (ids: readonly string[]) => Promise<readonly Row[]>;
}

export interface Found<Row> {
  readonly row: Row;
  /** Relevance from 0 to 1. */
  readonly relevance: number;
}

export interface SearchResult<Row> {
  /** The records, most relevant first. */
  readonly found: readonly Found<Row>[];
  /** Whether all records were compared by meaning. False if some or all were compared by words only. */
  readonly semantic: boolean;
}

/** Searches the records of one user by meaning and by words. */
export interface Search {
  /**
   * Computes the unit vector of each text. The caller owns the vectors. A long text is cut at its end. The first call loads the model.
   * @param uid user of the request. Waiting users take turns.
   * @returns undefined if no model is available or too many texts wait.
   */
  embed(texts: readonly string[], uid: string): Promise<Float32Array[] | undefined>;
  /** Returns the user's memories most similar to a vector of `embed`, best first. Empty if no model is available. */
  nearestMemories(
    uid: string,
    vector: Float32Array,
    count: number,
  ): Promise<readonly { readonly memory: MemoryRow; readonly similarity: number }[]>;
  /** Returns the records that match a query, including records that were stored just before. */
  find<Row extends { readonly id: string }>(request: SearchRequest<Row>): Promise<SearchResult<Row>>;
  /** Ends the background work and the model's thread. The connections stay open, because the caller owns them. Idempotent. */
  close(): Promise<void>;
}

export interface SearchOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly log: Logger;
}

/** Ms that a search waits for the vector of its query. If the vector takes longer, the search compares words only. */
const queryTimeout = 3000;

class SearchEngine implements Search {
  readonly #sql: Sql;
  readonly #embedder: Embedder;
  readonly #cache: VectorCache;
  readonly #backfill: Backfill | undefined;
  readonly #endOlder: () => Promise<void>;
  readonly #analysis: Analysis;

  constructor({ settings, sql, log }: SearchOptions) {
    this.#sql = sql;
    this.#embedder = createEmbedder(settings, log);
    const { dimensions } = this.#embedder;
    this.#cache = new VectorCache({ sql, dimensions, mostBytes: settings.searchCache });
    this.#backfill = dimensions > 0 ? startBackfill(sql, this.#embedder, log) : undefined;
    this.#endOlder = startOlderConversations(sql, log);
    this.#analysis = loadAnalysis(settings.core);
  }

  embed(texts: readonly string[], uid: string): Promise<Float32Array[] | undefined> {
    return this.#embedder.embed(texts, uid);
  }

  async nearestMemories(uid: string, vector: Float32Array, count: number) {
    if (this.#embedder.dimensions !== vector.length || count < 1) return [];
    const { set } = await this.#upToDate(uid, 'memory');
    const found = await this.#fill(
      { uid, kind: 'memory', limit: count, read: (ids) => memoryRows.byIds(this.#sql, uid, ids) },
      set,
      async (most) => this.#nearest(set, vector, most),
    );
    return found.map(({ row, relevance }) => ({ memory: row, similarity: relevance }));
  }

  async find<Row extends { readonly id: string }>(request: SearchRequest<Row>): Promise<SearchResult<Row>> {
    const { uid, kind, limit } = request;
    const text = storableText(request.text).replaceAll('\ufffd', ' ');
    const words = (most: number) => matchWords(this.#sql, uid, kind, text, request, most);
    const [vector, current] = await Promise.all([
      this.#vectorOf(text, uid),
      this.#embedder.dimensions > 0 ? this.#upToDate(uid, kind) : undefined,
    ]);
    if (vector === undefined || current === undefined) {
      const ranked = async (most: number) => rankByWords(await words(most), most);
      return { found: await this.#fill(request, undefined, ranked), semantic: false };
    }
    const { set, isComplete } = current;
    const matches = await words(Math.max(wordMatches, 4 * limit));
    const ranked = async (most: number) =>
      rankByBoth(set, vector, this.#nearest(set, vector, most), matches, request);
    return { found: await this.#fill(request, set, ranked), semantic: isComplete };
  }

  async close(): Promise<void> {
    const ended = [this.#backfill?.close(), this.#endOlder()];
    await this.#embedder.close();
    await Promise.all(ended);
  }

  async #vectorOf(text: string, uid: string): Promise<Float32Array | undefined> {
    if (this.#embedder.dimensions === 0) return undefined;
    const vectors = await within(this.#embedder.embed([text], uid), queryTimeout, () => undefined);
    // A blank text has no vector.
    return vectors?.[0]?.length === this.#embedder.dimensions ? vectors[0] : undefined;
  }

  /** Returns a user's vectors. If `isComplete` is true, they include every record that was stored before this call. */
  async #upToDate(
    uid: string,
    kind: SearchedKind,
  ): Promise<{ readonly set: VectorSet; readonly isComplete: boolean }> {
    const { set, missing } = await this.#cache.current(uid, kind);
    if (!missing) return { set, isComplete: true };
    const isComplete = await this.#backfill!.complete(uid, kind);
    return { set: (await this.#cache.current(uid, kind)).set, isComplete };
  }

  #nearest(set: VectorSet, vector: Float32Array, most: number): Ranked {
    const { matrix, size, dimensions } = set;
    const found = this.#analysis.cosineTopK(vector, matrix, size, dimensions, Math.min(most, size));
    return {
      records: found.map(({ row, similarity }) => ({ id: set.idOf(row), relevance: similarity })),
      isAll: most >= size,
    };
  }

  async #fill<Row extends { readonly id: string }>(
    request: Pick<SearchRequest<Row>, 'uid' | 'kind' | 'limit' | 'read'>,
    set: VectorSet | undefined,
    ranked: (most: number) => Promise<Ranked>,
  ): Promise<readonly Found<Row>[]> {
    const { found, missing } = await fillPage(request.limit, request.read, ranked);
    if (set && missing.length > 0) await this.#cache.prune(request.uid, request.kind, missing);
    return found;
  }
}

/** Maximum number of records that match by words and are ranked together with the matches by meaning. */
const wordMatches = 200;

/**
 * Starts search on a connection pool. The model's thread starts with the first text. Missing vectors are computed in the background until
 * the search is closed.
 */
export const startSearch = (options: SearchOptions): Search => new SearchEngine(options);
