/** Properties of an item that the queue needs. */
export interface Queueable {
  /** User of the item, an opaque string. */
  readonly user: string;
  readonly stream: string;
  /** Size that counts against the limits, in ms of speech or in bytes. Above 0. */
  readonly size: number;
}

/** Limits of waiting items, in the unit of `Queueable.size`. */
export interface QueueBounds {
  readonly total: number;
  readonly user: number;
  readonly stream: number;
}

interface Sized {
  readonly size: number;
}

/** The waiting items of one stream. They are served first in, first out. */
class Line<Item extends Queueable> implements Sized {
  readonly items: Item[] = [];
  size = 0;
}

/** The waiting items of one user, by stream. The streams are served in the order of the map. */
class Share<Item extends Queueable> implements Sized {
  lines = new Map<string, Line<Item>>();
  size = 0;
}

/** Finds the first stream, in the order of turns, whose oldest item fits. Returns that item. */
const firstOf = <Item extends Queueable>(
  { lines }: Share<Item>,
  fits: (item: Item) => boolean = () => true,
): Item | undefined => {
  for (const { items } of lines.values()) if (fits(items[0]!)) return items[0];
  return undefined;
};

/**
 * Returns the sum of the amounts by which single holders (users or streams) exceed the size `floor`. The holder `own`
 * is left out.
 */
const reclaimable = (holders: ReadonlyMap<string, Sized> | undefined, own: string, floor: number): number => {
  let sum = 0;
  for (const [name, { size }] of holders ?? []) if (name !== own) sum += Math.max(0, size - floor);
  return sum;
};

const largestBut = (holders: ReadonlyMap<string, Sized>, own?: string): string => {
  let largest = '';
  let most = -1;
  for (const [name, { size }] of holders) {
    if (name === own || size <= most) continue;
    largest = name;
    most = size;
  }
  return largest;
};

/** Returns a map with the same entries, in which the entry `name` comes first. */
const withFirst = <Value>(map: Map<string, Value>, name: string): Map<string, Value> => {
  const value = map.get(name)!;
  map.delete(name);
  return new Map([[name, value], ...map]);
};

/**
 * A bounded queue that is fair between users and between the streams of a user. Users take turns with one item each.
 * The streams of a user take turns. The items of a stream are served first in, first out. Before each item of a waiting
 * user, at most one item of each other user is served.
 *
 * When a limit is exceeded, the user with the largest backlog gives way. Either new items of that user are refused, or
 * the user's newest items are removed to make space for a user with a smaller backlog. The same rule applies to the
 * streams of a user. A user who waits alone may use the complete limit for one user. The more users wait, the smaller
 * is each user's guaranteed share.
 */
export class FairQueue<Item extends Queueable> {
  /**
   * Waiting items by user. Users are served in the order of the map. A served user with more items moves to the
   * end.
   */
  #users = new Map<string, Share<Item>>();
  #length = 0;
  #size = 0;

  constructor(private readonly bounds: QueueBounds) {}

  /** Number of waiting items. */
  get length(): number {
    return this.#length;
  }

  /** Sum of the sizes of the waiting items. */
  get size(): number {
    return this.#size;
  }

  /** Number of users with waiting items. */
  get users(): number {
    return this.#users.size;
  }

  /** Returns the sum of the sizes of a user's waiting items. */
  sizeOf(user: string): number {
    return this.#users.get(user)?.size ?? 0;
  }

  /**
   * Adds an item after the others of its stream.
   * @returns the items for which there is no space: the item itself, or the items that it displaced. The caller
   * must handle them.
   */
  offer(item: Item): readonly Item[] {
    const displaced = this.#displace(item);
    if (displaced === null) return [item];
    const line = this.#lineOf(item);
    line.items.push(item);
    this.#count(item, line, 1);
    return displaced;
  }

  /**
   * Replaces a waiting item of the same stream. No limit applies.
   * @returns the replaced item. Undefined if no item of its stream matches. Nothing is then changed.
   */
  replace(matches: (waiting: Item) => boolean, item: Item): Item | undefined {
    const line = this.#users.get(item.user)?.lines.get(item.stream);
    const at = line?.items.findIndex(matches) ?? -1;
    if (line === undefined || at < 0) return undefined;
    const before = line.items[at]!;
    line.items[at] = item;
    this.#count(before, line, -1);
    this.#count(item, line, 1);
    return before;
  }

  /**
   * Puts an item back into the queue after it was taken. It becomes the first item of its stream. No limit applies.
   * @param turn `first`: the item is served next. `last`: if the item's user has other waiting items, the user keeps
   * its place in the order of users. Otherwise the user is served last.
   */
  putBack(item: Item, turn: 'first' | 'last'): void {
    const line = this.#lineOf(item);
    line.items.unshift(item);
    this.#count(item, line, 1);
    if (turn === 'last') return;
    this.#users = withFirst(this.#users, item.user);
    const share = this.#users.get(item.user)!;
    share.lines = withFirst(share.lines, item.stream);
  }

  /**
   * Returns the next item to serve, without removing it. It belongs to the user with the fewest items that are being
   * processed. Among several such users, the first in turn is chosen.
   * @param inHand returns the number of a user's items that are being processed.
   * @param fits whether an item may be served now. If the oldest item of a stream may not, the stream is passed over
   * and
   *   keeps its turn.
   */
  peek(inHand: (user: string) => number = () => 0, fits?: (item: Item) => boolean): Item | undefined {
    let next: Item | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [user, share] of this.#users) {
      const count = inHand(user);
      if (count >= least) continue;
      const item = firstOf(share, fits);
      if (item === undefined) continue;
      least = count;
      next = item;
      if (count === 0) break;
    }
    return next;
  }

  /**
   * Removes an item that `peek` returned. The item's user becomes the last of the users, and its stream the last of the
   * user's streams.
   */
  take(item: Item): void {
    const share = this.#users.get(item.user)!;
    const line = share.lines.get(item.stream)!;
    line.items.shift();
    this.#count(item, line, -1);
    share.lines.delete(item.stream);
    if (line.items.length > 0) share.lines.set(item.stream, line);
    this.#users.delete(item.user);
    if (share.lines.size > 0) this.#users.set(item.user, share);
  }

  /**
   * Returns the next item of every waiting user, in the order in which users are served.
   * @param fits see `peek`.
   */
  *turns(fits?: (item: Item) => boolean): IterableIterator<Item> {
    for (const share of this.#users.values()) {
      const item = firstOf(share, fits);
      if (item !== undefined) yield item;
    }
  }

  /** Returns the oldest item of every waiting stream. */
  *heads(): IterableIterator<Item> {
    for (const { lines } of this.#users.values()) for (const { items } of lines.values()) yield items[0]!;
  }

  /** Removes and returns all items for which `matches` is true. */
  remove(matches: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const { lines } of [...this.#users.values()]) {
      for (const line of [...lines.values()]) {
        for (const item of line.items.filter(matches)) removed.push(item);
      }
    }
    for (const item of removed) this.#cut(item);
    return removed;
  }

  /** Removes and returns the items that give way to `item`. @returns null if `item` itself is refused. */
  #displace(item: Item): Item[] | null {
    const { total, user, stream } = this.bounds;
    const share = this.#users.get(item.user);
    const line = (share?.lines.get(item.stream)?.size ?? 0) + item.size;
    const own = (share?.size ?? 0) + item.size;
    // Makes all checks before any removal, so that a refused item displaces no other item.
    const overUser = Math.max(0, own - user);
    const overTotal = Math.max(0, this.#size + item.size - total - overUser);
    if (
      line > stream ||
      overUser > reclaimable(share?.lines, item.stream, line) ||
      overTotal > reclaimable(this.#users, item.user, own - overUser)
    )
      return null;
    const displaced: Item[] = [];
    for (let left = overUser; left > 0; left -= displaced.at(-1)!.size)
      displaced.push(this.#cutNewest(share!, largestBut(share!.lines, item.stream)));
    while (this.#size + item.size > total) {
      const largest = this.#users.get(largestBut(this.#users, item.user))!;
      displaced.push(this.#cutNewest(largest, largestBut(largest.lines)));
    }
    return displaced;
  }

  #cutNewest(share: Share<Item>, stream: string): Item {
    const item = share.lines.get(stream)!.items.at(-1)!;
    this.#cut(item);
    return item;
  }

  /** Removes an item. The order of users and streams stays the same. */
  #cut(item: Item): void {
    const share = this.#users.get(item.user)!;
    const line = share.lines.get(item.stream)!;
    line.items.splice(line.items.lastIndexOf(item), 1);
    this.#count(item, line, -1);
    if (line.items.length === 0) share.lines.delete(item.stream);
    if (share.lines.size === 0) this.#users.delete(item.user);
  }

  #lineOf({ user, stream }: Item): Line<Item> {
    let share = this.#users.get(user);
    if (share === undefined) {
      share = new Share<Item>();
      this.#users.set(user, share);
    }
    let line = share.lines.get(stream);
    if (line === undefined) {
      line = new Line<Item>();
      share.lines.set(stream, line);
    }
    return line;
  }

  #count(item: Item, line: Line<Item>, sign: 1 | -1): void {
    line.size += sign * item.size;
    this.#users.get(item.user)!.size += sign * item.size;
    this.#size += sign * item.size;
    this.#length += sign;
  }
}
