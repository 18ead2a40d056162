import { endsStable } from './sentence-plan.js';

/** A segment that waits for its translation. */
export interface WaitingSegment {
  readonly uid: string;
  readonly conversation: string;
  readonly id: string;
  readonly text: string;
  /** When its text came, ms. */
  readonly since: number;
  /** Nothing will be added, or what stands there is a sentence. */
  isStable: boolean;
}

export interface WaitingBounds {
  /** Segments that may wait, of all users and of one. */
  readonly total: number;
  readonly user: number;
}

/** Ms in which segments of a user gather that are translated together. */
const gatherTime = 250;
/** Ms after which a segment to which nothing was added counts as stable. */
const openTime = 3000;
/** Characters that are translated at once. */
const batchLength = 8000;

/**
 * Segments on their way to a translation, with bounds, in turns by user. A newer text of a segment takes the place of the one that waits. Not
 * aware of time by itself: the caller says when it is.
 */
export class WaitingSegments {
  readonly #bounds: WaitingBounds;
  /** The order of the users is their turn order. */
  readonly #users = new Map<string, Map<string, WaitingSegment>>();
  readonly #conversations = new Map<string, Set<WaitingSegment>>();
  #size = 0;

  constructor(bounds: WaitingBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether a segment of a conversation waits. */
  has(conversation: string): boolean {
    return this.#conversations.has(conversation);
  }

  /**
   * Segments with final words, in their order. All but the last are stable: something was said after them.
   * @returns how many were given up, these or others.
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
      if (own.size > this.#bounds.user) dropped += this.#dropOldest(own);
      else if (this.#size > this.#bounds.total) dropped += this.#dropOldest(this.#largest());
    }
    return dropped;
  }

  /** A segment is gone, or its text is another. */
  remove(uid: string, conversation: string, id: string): void {
    const waiting = this.#users.get(uid)?.get(keyOf(conversation, id));
    if (waiting !== undefined) this.#take(waiting);
  }

  /** Nothing is added to a conversation any more. */
  close(conversation: string): void {
    for (const waiting of this.#conversations.get(conversation) ?? []) waiting.isStable = true;
  }

  /** Nothing is added to any. */
  closeAll(): void {
    for (const conversation of this.#conversations.keys()) this.close(conversation);
  }

  /**
   * Takes what one user has that is to be translated now; it is that user's turn last of all then.
   * @param isBusy whether a user is passed over.
   * @param hurries without waiting for others to translate with.
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

  /** Takes all that a user has. */
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
