import {
  FairQueue,
  longestPiece,
  type Queueable,
  type QueueBounds,
  type TranscriptionPriority,
  transcriptionPriorities,
} from '../shared/index.js';

export interface Prioritised extends Queueable {
  readonly priority: TranscriptionPriority;
}

/** Which items may be served. Absent rules allow every item, and count no items in work. */
export interface PeekRules<Item> {
  /** Whether items of a class may be served now. */
  readonly allowed?: (priority: TranscriptionPriority) => boolean;
  /** Returns the number of a user's items in work. */
  readonly inHand?: (user: string) => number;
  /** Whether an item may be served now. Others of its stream wait until it is served. */
  readonly fits?: (item: Item) => boolean;
}

interface Class<Item extends Prioritised> {
  readonly priority: TranscriptionPriority;
  readonly queue: FairQueue<Item>;
  /** Credit that the class has earned from more urgent work while it was waiting, in the unit of `size`. */
  credit: number;
}

const atLeast = ({ total, user, stream }: QueueBounds, least: number): QueueBounds => ({
  total: Math.max(total, least),
  user: Math.max(user, least),
  stream: Math.max(stream, least),
});

/** Share of the more urgent work that a waiting class earns as credit. */
const share = 1 / 16;

/**
 * Contains a fair queue for each class of work. The most urgent class with waiting items is served first. To
 * prevent starvation, a waiting class earns credit: a sixteenth of the more urgent work that is served meanwhile.
 * When its credit covers its next item, that item is served first. All classes have the same limits. Classes below
 * live speech always accept the longest piece, because refused audio is sent again unchanged and would otherwise
 * never fit.
 */
export class PriorityQueue<Item extends Prioritised> {
  readonly #classes: readonly Class<Item>[];

  constructor(bounds: QueueBounds) {
    this.#classes = transcriptionPriorities.map((priority) => ({
      priority,
      queue: new FairQueue<Item>(priority === 'live' ? bounds : atLeast(bounds, longestPiece)),
      credit: 0,
    }));
  }

  /** Number of waiting items. */
  get length(): number {
    return this.#classes.reduce((sum, { queue }) => sum + queue.length, 0);
  }

  /** Sum of the sizes of the waiting items. */
  get size(): number {
    return this.#classes.reduce((sum, { queue }) => sum + queue.size, 0);
  }

  /** Number of users with waiting items. */
  get users(): number {
    const users = new Set<string>();
    for (const { queue } of this.#classes) for (const { user } of queue.turns()) users.add(user);
    return users.size;
  }

  /** Returns the queue of a class, for reading only. */
  of(priority: TranscriptionPriority): Pick<FairQueue<Item>, 'length' | 'turns' | 'heads'> {
    return this.#class(priority).queue;
  }

  /**
   * Adds an item. @returns the items for which there is no space: the item itself, or items of its class that it
   * displaced.
   */
  offer(item: Item): readonly Item[] {
    const own = this.#class(item.priority);
    if (own.queue.length === 0) own.credit = 0;
    return own.queue.offer(item);
  }

  /** Replaces an item of the same class and stream. See `FairQueue.replace`. */
  replace(matches: (waiting: Item) => boolean, item: Item): Item | undefined {
    return this.#class(item.priority).queue.replace(matches, item);
  }

  /** Returns an item to the queue after it was taken. See `FairQueue.putBack`. */
  putBack(item: Item, turn: 'first' | 'last'): void {
    this.#class(item.priority).queue.putBack(item, turn);
  }

  /** Returns the next item to serve, without removing it. Undefined if none may be served now. */
  peek({ allowed = () => true, inHand, fits }: PeekRules<Item> = {}): Item | undefined {
    let urgent: Item | undefined;
    for (const { priority, queue, credit } of this.#classes) {
      if (!allowed(priority)) continue;
      const item = queue.peek(inHand, fits);
      if (item === undefined) continue;
      if (urgent !== undefined && credit >= item.size) return item;
      urgent ??= item;
    }
    return urgent;
  }

  /** Whether `matches` is true for the oldest item of a stream of any class. */
  hasHead(matches: (item: Item) => boolean): boolean {
    for (const { queue } of this.#classes) for (const item of queue.heads()) if (matches(item)) return true;
    return false;
  }

  /** Removes an item that `peek` returned. */
  take(item: Item): void {
    let isBehind = false;
    for (const one of this.#classes) {
      if (one.priority === item.priority) {
        one.queue.take(item);
        one.credit = 0;
        isBehind = true;
      } else if (isBehind && one.queue.length > 0) one.credit += item.size * share;
    }
  }

  /** Removes and returns all items for which `matches` is true. */
  remove(matches: (item: Item) => boolean): Item[] {
    return this.#classes.flatMap(({ queue }) => queue.remove(matches));
  }

  #class(priority: TranscriptionPriority): Class<Item> {
    return this.#classes[transcriptionPriorities.indexOf(priority)]!;
  }
}
