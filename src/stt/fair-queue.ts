/** What the queue has to know of an item. */
export interface Queueable {
  /** Whose it is; opaque. */
  readonly user: string;
  readonly stream: string;
  /** What it counts against the bounds: ms of speech, or bytes. Above 0. */
  readonly size: number;
}

/** How much may wait, in the unit of `Queueable.size`. */
export interface QueueBounds {
  readonly total: number;
  readonly user: number;
  readonly stream: number;
}

interface Sized {
  readonly size: number;
}

/** What waits of one stream, first in first out. */
class Line<Item extends Queueable> implements Sized {
  readonly items: Item[] = [];
  size = 0;
}

/** What waits of one user. The order of the lines is their turn order. */
class Share<Item extends Queueable> implements Sized {
  lines = new Map<string, Line<Item>>();
  size = 0;
}

/** What the holders other than `own` have above `floor`, added up. */
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

/** The same entries with one of them in front. */
const withFirst = <Value>(map: Map<string, Value>, name: string): Map<string, Value> => {
  const value = map.get(name)!;
  map.delete(name);
  return new Map([[name, value], ...map]);
};

/**
 * A bounded queue that is fair between users, and between the streams of a user: one item of each waiting user in turn,
 * one of each of the user's streams in turn, first in first out within a stream. An item waits for at most one item of
 * each other user beside what its own user has before it.
 *
 * Over the bounds the largest holder gives way: a user is refused, or loses its newest items to a user that has less
 * waiting, and so are the streams of a user among each other. A user alone may use the whole bound of a user; the more
 * users wait, the smaller is the share that one of them keeps against the others.
 */
export class FairQueue<Item extends Queueable> {
  readonly #bounds: QueueBounds;
  /** Insertion order is the turn order: a served user that has more goes to the end. */
  #users = new Map<string, Share<Item>>();
  #length = 0;
  #size = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  /** Items that wait. */
  get length(): number {
    return this.#length;
  }

  /** Their sizes together. */
  get size(): number {
    return this.#size;
  }

  /** Users that have something waiting. */
  get users(): number {
    return this.#users.size;
  }

  /**
   * Adds an item behind the others of its stream.
   * @returns what has no place any more, the item itself or what it displaced; the caller answers for those.
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
   * Puts an item back that was taken, before the others of its stream; no bound applies to it.
   * @param turn `first`: it is served next. `last`: its user keeps its place, or gets the last one.
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
   * The item whose turn it is: of the users that have the least in hand, the first in turn.
   * @param inHand how many items of a user are being worked on.
   */
  peek(inHand: (user: string) => number = () => 0): Item | undefined {
    let next: Share<Item> | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [user, share] of this.#users) {
      const count = inHand(user);
      if (count >= least) continue;
      least = count;
      next = share;
      if (count === 0) break;
    }
    return next?.lines.values().next().value?.items[0];
  }

  /** Takes an item that `peek` returned; its stream and its user have had their turn. */
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

  /** The next item of every waiting user, in turn order. */
  *turns(): IterableIterator<Item> {
    for (const share of this.#users.values()) yield share.lines.values().next().value!.items[0]!;
  }

  /** The oldest item of every waiting stream. */
  *heads(): IterableIterator<Item> {
    for (const { lines } of this.#users.values()) for (const { items } of lines.values()) yield items[0]!;
  }

  /** Takes out every item that matches. */
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

  /** @returns the items that give way to this one, taken out; null when it has no place itself. */
  #displace(item: Item): Item[] | null {
    const { total, user, stream } = this.#bounds;
    const share = this.#users.get(item.user);
    const line = (share?.lines.get(item.stream)?.size ?? 0) + item.size;
    const own = (share?.size ?? 0) + item.size;
    // All of this is decided before anything is taken out: an item that is refused displaces nothing.
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

  /** Takes an item out of turn. */
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
