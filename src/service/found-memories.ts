import { v7 as uuidv7 } from 'uuid';
import { fixedLimits } from '../config/limits.js';
import type { Sql, TransactionSql } from '../store/database.js';
import {
  insertMemories,
  linkMemories,
  type MemoryRow,
  newestMemories,
  removeFoundMemories,
  supersedeMemories,
} from '../store/memories.js';
import { firstCharacters, storableText } from '../wire/text.js';
import { memoryBounds } from './memories.js';
import { memoryScoring } from './memory-category.js';
import type { Search } from './search/index.js';
import { tokensOf } from './structure/words.js';

/** A memory that was found in a conversation. */
export interface FoundMemory {
  readonly content: string;
  readonly category: string;
  /** Ids of memories that it makes untrue. */
  readonly supersedes: readonly string[];
}

/** A memory that is near a text. */
export interface NearMemory {
  readonly id: string;
  readonly content: string;
  /** At most 1. */
  readonly similarity: number;
}

/** The words of a memory in one spelling, to find out whether two say the same word for word. */
export const sameMemory = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Memories that are compared. */
const mostCompared = 500;

/** Shared words by all words of both texts. */
const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared / Math.max(1, one.size + other.size - shared);
};

/** What of the search compares memories. */
export type MeaningSearch = Pick<Search, 'embed' | 'nearestMemories'>;

export interface NearOptions {
  readonly limit: number;
  /** A conversation whose own memories are left out, because they are replaced. */
  readonly except: string;
  /** null: memories are compared by their words. */
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
 * The memories of a user that are nearest to each of the texts: by meaning, or by shared words among the newest where no sentence
 * model serves.
 */
export const nearMemories = async (
  sql: Sql,
  uid: string,
  texts: readonly string[],
  { limit, except, search }: NearOptions,
): Promise<NearMemory[][]> => {
  if (texts.length === 0) return [];
  const newest = await newestMemories(sql, uid, mostCompared);
  const own = new Set(newest.flatMap((row) => (row.conversation_id === except ? [row.id] : [])));
  if (newest.length === own.size) return texts.map(() => []);
  const vectors = await search?.embed(texts);
  if (!search || vectors === undefined) {
    return nearByWords(
      newest.filter(({ id }) => !own.has(id)),
      texts,
      limit,
    );
  }
  const near: NearMemory[][] = [];
  for (const vector of vectors) {
    const found = await search.nearestMemories(uid, vector, limit + own.size);
    near.push(
      found
        .filter(({ memory }) => !own.has(memory.id) && !memory.is_locked)
        .slice(0, limit)
        .map(({ memory: { id, content }, similarity }) => ({ id, content, similarity })),
    );
  }
  return near;
};

interface Found {
  readonly id: string;
  readonly uid: string;
  readonly is_locked: boolean;
}

const rowOf = (conversation: Found, { content, category }: FoundMemory, now: Date): MemoryRow => ({
  id: uuidv7(),
  content: firstCharacters(storableText(content).replace(/\s+/g, ' ').trim(), memoryBounds.content),
  category,
  visibility: 'private',
  tags: [],
  manually_added: false,
  reviewed: false,
  user_review: null,
  edited: false,
  scoring: memoryScoring(false, category, now),
  is_locked: conversation.is_locked,
  created_at: now,
  updated_at: now,
});

/**
 * Stores what was found in a conversation in place of what an earlier run has found. What its user has added, edited or approved is
 * neither replaced nor superseded. Nothing is stored where the user would have too many.
 */
export const replaceFoundMemories = async (
  sql: TransactionSql,
  conversation: Found,
  found: readonly FoundMemory[],
  now = new Date(),
): Promise<void> => {
  const { uid, id } = conversation;
  await removeFoundMemories(sql, uid, id);
  if (found.length === 0) return;
  const rows = found.map((one) => rowOf(conversation, one, now));
  if (!(await insertMemories(sql, uid, rows, fixedLimits.memoriesPerUser.value))) return;
  await linkMemories(
    sql,
    uid,
    id,
    rows.map((row) => row.id),
  );
  for (const [place, { supersedes }] of found.entries()) {
    if (supersedes.length > 0) await supersedeMemories(sql, uid, supersedes, rows[place]!.id);
  }
};
