import { endsStable } from './sentence-plan.js';

/** A segment that waits for its translation. */
export interface WaitingSegment {
  readonly uid: string;
  readonly conversation: string;
  readonly id: string;
  readonly text: string;
  /** Time in ms at which the segment's text arrived. */
  readonly since: number;
  /** Whether the text is stable: it gets no more words, or it ends with a complete sentence. */
  isStable: boolean;
}

export interface WaitingBounds {
  /** Maximum number of waiting segments of all users together. */
  readonly total: number;
  /** Maximum number of waiting segments of one user. */
  readonly user: number;
}

/** Ms for which segments of a user are gathered, so that they are translated together. */
const gatherTime = 250;
/** Ms after which a segment counts as stable if its text stays unchanged. */
const openTime = 3000;
/** Maximum number of characters in one batch. */
const batchLength = 8000;

/**
 * A bounded queue of segments that wait for translation. Users take turns. A newer text of a segment replaces its
 * waiting text. The caller passes the current time.
 */
export class WaitingSegments {
  /** Waiting segments by user. Users are in the order of their turns. */
  readonly #users = new Map<string, Map<string, WaitingSegment>>();
  readonly #conversations = new Map<string, Set<WaitingSegment>>();
  #size = 0;

  constructor(private readonly bounds: WaitingBounds) {}

  get size(): number {
    return this.#size;
  }

  /** Whether any segment of a conversation waits. */
  has(conversation: string): boolean {
    return this.#conversations.has(conversation);
  }

  /**
   * Adds segments with final words, in order. All segments except the last one are stable, because more speech followed
   * them.
   * @returns the number of dropped segments. If a user has too many segments, the user's oldest segment is dropped. If
   * there are too many segments in total, the oldest segment of the user with the most segments is dropped.
   */
  add(
    owner: { readonly uid: string; readonly conversation: string },
    segments: readonly { readonly id: string; readonly text: string }[],
    now: number,
  ): number {
    const last = segments.at(-1);
    if (last === undefined) return 0;
    for (const waiting of this.#conversations.get(owner.conversation) ?? []) {
      if (waiting.id !== last.id) waiting.isStable = true;
    }
    let dropped = 0;
    for (const { id, text } of segments) {
      this.remove(owner.uid, owner.conversation, id);
      const isStable = id !== last.id || endsStable(text);
      this.#put({ ...owner, id, text, since: now, isStable });
      const own = this.#users.get(owner.uid)!;
      if (own.size > this.bounds.user) dropped += this.#dropOldest(own);
      else if (this.#size > this.bounds.total) dropped += this.#dropOldest(this.#largest());
    }
    return dropped;
  }

  /** Removes a segment that was deleted or whose text has changed. */
  remove(uid: string, conversation: string, id: string): void {
    const waiting = this.#users.get(uid)?.get(keyOf(conversation, id));
    if (waiting !== undefined) this.#take(waiting);
  }

  /** Marks the segments of a conversation as stable, because they get no more words. */
  close(conversation: string): void {
    for (const waiting of this.#conversations.get(conversation) ?? []) waiting.isStable = true;
  }

  /** Marks all segments as stable. */
  closeAll(): void {
    for (const conversation of this.#conversations.keys()) this.close(conversation);
  }

  /**
   * Takes the due segments of one user, and makes this user the last in the order of turns.
   * @param isBusy returns whether a user must be skipped.
   * @param hurries whether stable segments are taken without waiting for more segments.
   */
  take(now: number, isBusy: (uid: string) => boolean, hurries = false): WaitingSegment[] {
    for (const [uid, own] of this.#users) {
      if (isBusy(uid)) continue;
      const due = [...own.values()].filter(
        ({ isStable, since }) =>
          now - since >= openTime || (isStable && (hurries || now - since >= gatherTime)),
      );
      if (due.length === 0) continue;
      this.#users.delete(uid);
      this.#users.set(uid, own);
      let length = 0;
      const batch = due.filter(({ text }, index) => {
        length += text.length;
        return index === 0 || length <= batchLength;
      });
      for (const waiting of batch) this.#take(waiting);
      return batch;
    }
    return [];
  }

  /** Takes all segments of a user. */
  takeAll(uid: string): WaitingSegment[] {
    const all = [...(this.#users.get(uid)?.values() ?? [])];
    for (const waiting of all) this.#take(waiting);
    return all;
  }

  #put(waiting: WaitingSegment): void {
    const { uid, conversation, id } = waiting;
    const own = this.#users.get(uid) ?? new Map<string, WaitingSegment>();
    this.#users.set(uid, own.set(keyOf(conversation, id), waiting));
    const others = this.#conversations.get(conversation) ?? new Set();
    this.#conversations.set(conversation, others.add(waiting));
    this.#size++;
  }

  #take(waiting: WaitingSegment): void {
    const { uid, conversation, id } = waiting;
    const own = this.#users.get(uid);
    if (own?.delete(keyOf(conversation, id)) !== true) return;
    this.#size--;
    if (own.size === 0) this.#users.delete(uid);
    const others = this.#conversations.get(conversation)!;
    others.delete(waiting);
    if (others.size === 0) this.#conversations.delete(conversation);
  }

  #dropOldest(own: ReadonlyMap<string, WaitingSegment>): number {
    const [oldest] = own.values();
    this.#take(oldest!);
    return 1;
  }

  #largest(): ReadonlyMap<string, WaitingSegment> {
    let largest: ReadonlyMap<string, WaitingSegment> = new Map();
    for (const own of this.#users.values()) if (own.size > largest.size) largest = own;
    return largest;
  }
}

const keyOf = (conversation: string, id: string): string => `${conversation} ${id}`;
