import { spokenOf, tokenOf, wordOf } from './token-words.js';

/** What a wearable has said, and which of its words the product has acknowledged. */
export interface Said {
  readonly wearable: number;
  readonly uid: string;
  /** Number of words. The words are numbered from 0. */
  readonly words: number;
  /**
   * Acknowledged tokens: they arrived in a segment, or their audio was confirmed. The product must have stored their
   * words.
   */
  readonly acknowledged: ReadonlySet<number>;
  /** Tokens whose speech was sent at least once. */
  readonly sent: ReadonlySet<number>;
  /** Tokens whose speech was sent more than once. */
  readonly resent: ReadonlySet<number>;
}

/** A stored conversation with its tokens, in the order of the transcript. */
export interface StoredConversation {
  readonly id: string;
  readonly uid: string;
  readonly tokens: readonly number[];
}

/** For each fault, the words that have it, such as `W3-17.`. All lists are empty if nothing is wrong. */
export interface Verdict {
  readonly spoken: number;
  /** Number of different spoken words that are stored. */
  readonly stored: number;
  readonly acknowledged: number;
  /** Words that were spoken but never sent, because the wearable had no connection until the end. */
  readonly unsent: readonly string[];
  /** Words that were sent and are not stored. */
  readonly lost: readonly string[];
  /** Words that were acknowledged and are not stored. They are also in `lost`. */
  readonly broken: readonly string[];
  /** Words that are stored more than once, although their speech was sent once. */
  readonly doubled: readonly string[];
  /** Words that are stored more than once after their speech was sent more than once. */
  readonly resentDoubled: readonly string[];
  /**
   * Words that are stored after a word of the same wearable that was spoken later. A word that is stored twice counts
   * at its first place.
   */
  readonly misplaced: readonly string[];
  /** Words that are stored but were never spoken, or that are stored for another user. */
  readonly foreign: readonly string[];
  /** Users with more than one conversation, and the number of their conversations. */
  readonly divided: readonly (readonly [uid: string, conversations: number])[];
}

/** Returns the numbers that are smaller than a number before them. */
const behindLater = (numbers: readonly number[]): number[] => {
  let largest = -1;
  return numbers.filter((number) => {
    const isBehind = number < largest;
    largest = Math.max(largest, number);
    return isBehind;
  });
};

/** Compares what wearables have said with what is stored. @param stored the conversations in the order of their start. */
export const judgeTokens = (all: readonly Said[], stored: readonly StoredConversation[]): Verdict => {
  const faults = {
    unsent: [] as number[],
    lost: [] as number[],
    broken: [] as number[],
    doubled: [] as number[],
    resentDoubled: [] as number[],
    misplaced: [] as number[],
    foreign: [] as number[],
  };
  const divided: [string, number][] = [];
  const byUser = new Map<string, StoredConversation[]>();
  for (const conversation of stored) {
    if (conversation.tokens.length === 0) continue;
    byUser.set(conversation.uid, [...(byUser.get(conversation.uid) ?? []), conversation]);
  }
  let found = 0;
  for (const { wearable, uid, words, acknowledged, sent, resent } of all) {
    const conversations = byUser.get(uid) ?? [];
    byUser.delete(uid);
    if (conversations.length > 1) divided.push([uid, conversations.length]);
    const counts = new Map<number, number>();
    const order: number[] = [];
    for (const token of conversations.flatMap(({ tokens }) => tokens)) {
      const spoken = spokenOf(token);
      if (spoken.wearable !== wearable || spoken.number >= words) {
        faults.foreign.push(token);
        continue;
      }
      const count = (counts.get(token) ?? 0) + 1;
      counts.set(token, count);
      if (count === 1) order.push(spoken.number);
      if (count === 2) (resent.has(token) ? faults.resentDoubled : faults.doubled).push(token);
    }
    found += counts.size;
    faults.misplaced.push(...behindLater(order).map((number) => tokenOf({ wearable, number })));
    for (let number = 0; number < words; number++) {
      const token = tokenOf({ wearable, number });
      if (counts.has(token)) continue;
      (sent.has(token) ? faults.lost : faults.unsent).push(token);
      if (acknowledged.has(token)) faults.broken.push(token);
    }
  }
  for (const conversation of [...byUser.values()].flat()) faults.foreign.push(...conversation.tokens);
  const named = (tokens: readonly number[]): string[] => tokens.map(wordOf);
  return {
    spoken: all.reduce((sum, { words }) => sum + words, 0),
    stored: found,
    acknowledged: all.reduce((sum, one) => sum + one.acknowledged.size, 0),
    unsent: named(faults.unsent),
    lost: named(faults.lost),
    broken: named(faults.broken),
    doubled: named(faults.doubled),
    resentDoubled: named(faults.resentDoubled),
    misplaced: named(faults.misplaced),
    foreign: named(faults.foreign),
    divided,
  };
};
