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

/**
 * Rules for which items may be served. If `allowed` or `fits` is absent, it allows every item. If `inHand` is absent,
 * no item counts as being processed.
 */
export interface PeekRules<Item> {
  /** Whether items of a class may be served now. */
  readonly allowed?: (priority: TranscriptionPriority) => boolean;
  /** Returns the number of a user's items that are being processed. */
  readonly inHand?: (user: string) => number;
  /** Whether an item may be served now. The other items of its stream wait until it is served. */
  readonly fits?: (item: Item) => boolean;
}

interface Class<Item extends Prioritised> {
  readonly priority: TranscriptionPriority;
  readonly queue: FairQueue<Item>;
  /** Credit that the class has earned from more urgent work while it was waiting, in the unit of `size`. */
  credit: number;
  /**
   * The part of the credit that can make more urgent work wait (see `due`). It is all credit, except the credit that
   * interim requests earn from users who do not flood a class.
   */
  claim: number;
}

const atLeast = ({ total, user, stream }: QueueBounds, least: number): QueueBounds => ({
  total: Math.max(total, least),
  user: Math.max(user, least),
  stream: Math.max(stream, least),
});

/** Share of the more urgent work that a waiting class earns as credit. */
const share = 1 / 16;

/**
 * Minimum length in ms of a user's waiting work with which the user floods a class. It is twice the longest utterance.
 */
const leastFlood = 30_000;

/**
 * Whether the user of an item that was just served floods the item's class. Both of these must be true:
 * - This user's waiting work in the class is at least `leastFlood`, and more than half of the work that waits there.
 * - Another user waits for interim words, and has no waiting work in this class.
 */
const isFlooded = <Item extends Prioritised>(
  { user }: Item,
  queue: FairQueue<Item>,
  interim: FairQueue<Item>,
): boolean => {
  const own = queue.sizeOf(user);
  if (own < leastFlood || 2 * own <= queue.size) return false;
  for (const other of interim.turns()) if (queue.sizeOf(other.user) === 0) return true;
  return false;
};

/**
 * Contains a fair queue for each class of work. The most urgent class with waiting items is served first. To prevent
 * starvation, a waiting class earns credit: a sixteenth of the more urgent work that is served meanwhile. When its
 * credit covers its next item, that item is served first. If a user floods a more urgent class, interim requests earn
 * credit equal to all work that is served for this user. So this user does not prevent the interim words of other
 * users.
 *
 * All classes have the same limits. Classes that are less urgent than live speech always accept a piece of the maximum
 * length. If such a piece were refused, it would be sent again unchanged and would never fit.
 */
export class PriorityQueue<Item extends Prioritised> {
  readonly #classes: readonly Class<Item>[];

  constructor(bounds: QueueBounds) {
    this.#classes = transcriptionPriorities.map((priority) => ({
      priority,
      queue: new FairQueue<Item>(priority === 'live' ? bounds : atLeast(bounds, longestPiece)),
      credit: 0,
      claim: 0,
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
    if (own.queue.length === 0) Object.assign(own, { credit: 0, claim: 0 });
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

  /** Returns the next item for which more urgent work has to wait; undefined if there is none. */
  due({ allowed = () => true, inHand, fits }: PeekRules<Item> = {}): Item | undefined {
    for (const { priority, queue, claim } of this.#classes) {
      const item = claim > 0 && allowed(priority) ? queue.peek(inHand, fits) : undefined;
      if (item !== undefined && claim >= item.size) return item;
    }
    return undefined;
  }

  /** Whether `matches` is true for the oldest item of a stream of any class. */
  hasHead(matches: (item: Item) => boolean): boolean {
    for (const { queue } of this.#classes) for (const item of queue.heads()) if (matches(item)) return true;
    return false;
  }

  /** Removes an item that `peek` returned. */
  take(item: Item): void {
    const own = this.#class(item.priority);
    own.queue.take(item);
    Object.assign(own, { credit: 0, claim: 0 });
    for (const one of this.#classes.slice(this.#classes.indexOf(own) + 1)) {
      if (one.queue.length === 0) continue;
      const isInterim = one.priority === 'interim';
      const earnsAll = isInterim && isFlooded(item, own.queue, one.queue);
      const earned = item.size * (earnsAll ? 1 : share);
      one.credit += earned;
      if (earnsAll || !isInterim) one.claim += earned;
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
