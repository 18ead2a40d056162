import { v7 as uuidv7 } from 'uuid';
import { firstCharacters, storableText } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import {
  type FoundMemoryRow,
  insertMemories,
  linkMemories,
  lockMemoriesOfConversation,
  type MemoryRow,
  newestMemories,
  removeMemories,
  rewordMemory,
  supersedeMemories,
} from '../../store/records/index.js';
import { memoryBounds, memoryRecord } from '../../wire/records/index.js';
import type { Search } from '../search/index.js';
import { tokensOf } from '../structure/language/index.js';
import { memoryScoring } from './memory-category.js';
import { valuesOf } from './record-values.js';

const { initial } = valuesOf(memoryRecord);

/** A memory that was found in a conversation. */
export interface FoundMemory {
  readonly content: string;
  readonly category: string;
  /** Ids of memories that the new memory contradicts. */
  readonly supersedes: readonly string[];
  /** Id of the memory that an earlier run made from the same fact of this conversation. */
  readonly same?: string | undefined;
}

/** A stored memory that is similar to a given text. */
export interface NearMemory {
  readonly id: string;
  readonly content: string;
  /** Similarity to the text, at most 1. */
  readonly similarity: number;
}

/** Normalises the words of a memory, so that memories with the same words have equal results. */
export const sameMemory = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Maximum number of memories that are compared by words. */
const mostCompared = 500;

/** Returns the number of shared words divided by the number of all words of both texts. */
const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared / Math.max(1, one.size + other.size - shared);
};

/** The part of the search that compares memories. */
export type MeaningSearch = Pick<Search, 'embed' | 'nearestMemories'>;

export interface NearOptions {
  readonly limit: number;
  /** Ids of memories to leave out. */
  readonly except: ReadonlySet<string>;
  /** The search that compares memories by meaning; null: memories are compared by words. */
  readonly search: MeaningSearch | null;
}

const nearByWords = (
  rows: readonly { readonly id: string; readonly content: string }[],
  texts: readonly string[],
  limit: number,
): NearMemory[][] => {
  const known = rows.map(({ id, content }) => ({ id, content, words: new Set(tokensOf(content)) }));
  return texts.map((text) => {
    const words = new Set(tokensOf(text));
    return known
      .map(({ id, content, words: own }) => ({ id, content, similarity: likeness(words, own) }))
      .filter(({ similarity }) => similarity > 0)
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, limit);
  });
};

/**
 * Returns the user's memories nearest to each text. Without a sentence model, it compares only words, and only with the
 * newest memories.
 */
export const nearMemories = async (
  sql: Sql,
  uid: string,
  texts: readonly string[],
  { limit, except, search }: NearOptions,
): Promise<NearMemory[][]> => {
  if (texts.length === 0) return [];
  const others = (await newestMemories(sql, uid, mostCompared)).filter(({ id }) => !except.has(id));
  if (others.length === 0) return texts.map(() => []);
  const vectors = await search?.embed(texts, uid);
  if (!search || vectors === undefined) return nearByWords(others, texts, limit);
  const near: NearMemory[][] = [];
  for (const vector of vectors) {
    const found = await search.nearestMemories(uid, vector, limit + except.size);
    near.push(
      found
        .filter(({ memory }) => !except.has(memory.id) && !memory.is_locked)
        .slice(0, limit)
        .map(({ memory: { id, content }, similarity }) => ({ id, content, similarity })),
    );
  }
  return near;
};

/** Minimum similarity between a new fact and a memory of an earlier run that states the same fact. */
const sameFact = { byMeaning: 0.8, byWords: 0.6 } as const;
/** Maximum number of memories of one conversation that are compared, newest first. */
const mostOfConversation = 20;

/**
 * Returns for each text the memory of an earlier run that states the same fact; undefined if there is none. A memory
 * matches at most one text. Only a memory that this run cannot change (`is_kept`) may match several texts. The
 * comparison uses the memory's original words, because the user may have edited the memory since the earlier run.
 */
export const sameMemories = async (
  uid: string,
  texts: readonly string[],
  earlier: readonly FoundMemoryRow[],
  search: MeaningSearch | null,
): Promise<(string | undefined)[]> => {
  const free = new Set(earlier.slice(0, mostOfConversation));
  const taken: (string | undefined)[] = texts.map((text) => {
    const words = sameMemory(text);
    const same = [...free].find((one) =>
      [one.found_as, one.content].some((own) => sameMemory(own) === words),
    );
    if (same && !same.is_kept) free.delete(same);
    return same?.id;
  });
  const open = texts.flatMap((text, place) => (taken[place] === undefined ? [{ text, place }] : []));
  const left = [...free];
  if (open.length === 0 || left.length === 0) return taken;
  const compared = [...open.map(({ text }) => text), ...left.map((one) => one.found_as)];
  const vectors = await search?.embed(compared, uid);
  const likenessOf = (one: number, other: number): number =>
    vectors === undefined
      ? likeness(new Set(tokensOf(compared[one]!)), new Set(tokensOf(compared[other]!)))
      : (vectors[one]?.reduce((sum, value, i) => sum + value * (vectors[other]![i] ?? 0), 0) ?? 0);
  const pairs = open
    .flatMap(({ place }, one) =>
      left.map((earlierOne, other) => ({ place, earlierOne, alike: likenessOf(one, open.length + other) })),
    )
    .filter(({ alike }) => alike >= (vectors === undefined ? sameFact.byWords : sameFact.byMeaning))
    .sort((one, other) => other.alike - one.alike);
  for (const { place, earlierOne } of pairs) {
    if (taken[place] !== undefined || !free.has(earlierOne)) continue;
    if (!earlierOne.is_kept) free.delete(earlierOne);
    taken[place] = earlierOne.id;
  }
  return taken;
};

interface Found {
  readonly id: string;
  readonly uid: string;
  readonly is_locked: boolean;
}

const rowOf = (conversation: Found, { content, category }: FoundMemory, now: Date): MemoryRow => ({
  ...initial,
  id: uuidv7(),
  content: firstCharacters(storableText(content).replace(/\s+/g, ' ').trim(), memoryBounds.content),
  category,
  manually_added: false,
  reviewed: false,
  scoring: memoryScoring(false, category, now),
  is_locked: conversation.is_locked,
  created_at: now,
  updated_at: now,
});

/**
 * Stores the memories found in a conversation. They replace the memories of an earlier run. A fact that is found again keeps its memory. If
 * the user added, edited, approved, rejected or deleted that memory, the fact is not added again. A superseded memory stays superseded.
 * Memories that the user added, edited or approved are never superseded. Stores nothing if the user would exceed the limit.
 */
export const replaceFoundMemories = async (
  sql: TransactionSql,
  conversation: Found,
  found: readonly FoundMemory[],
  now = new Date(),
): Promise<void> => {
  const { uid, id } = conversation;
  const earlier = new Map((await lockMemoriesOfConversation(sql, uid, id)).map((row) => [row.id, row]));
  const again = new Set(found.map(({ same }) => same));
  const gone = [...earlier.values()].filter((row) => !row.is_kept && !again.has(row.id));
  await removeMemories(
    sql,
    gone.map((row) => row.id),
  );
  const fresh: { readonly row: MemoryRow; readonly supersedes: readonly string[] }[] = [];
  for (const one of found) {
    const row = rowOf(conversation, one, now);
    // If the earlier memory is missing now, the user deleted it while this run looked for facts.
    const known = one.same === undefined ? undefined : earlier.get(one.same);
    if (one.same === undefined) fresh.push({ row, supersedes: one.supersedes });
    else if (known && !known.is_kept && known.content !== row.content) {
      await rewordMemory(sql, known.id, row.content, now);
    }
  }
  if (fresh.length === 0) return;
  const rows = fresh.map(({ row }) => row);
  if (!(await insertMemories(sql, uid, rows, fixedLimits.memoriesPerUser.value))) return;
  await linkMemories(
    sql,
    uid,
    id,
    rows.map((row) => row.id),
  );
  for (const { row, supersedes } of fresh) {
    if (supersedes.length > 0) await supersedeMemories(sql, uid, supersedes, row.id);
  }
};
