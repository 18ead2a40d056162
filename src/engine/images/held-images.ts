import { fixedLimits } from '../../config/limits/index.js';

/** The part of a user in the memory that a shard has for images. */
export interface ImageMemory {
  /** @returns false when there is not that much left; nothing is taken then. */
  take(bytes: number): boolean;
  /** Gives back what was taken. */
  give(bytes: number): void;
  /**
   * Names what a stream of the user can do without when others have too little.
   * @param giveWay gives back the memory of one image, and returns false when it has none.
   * @returns ends this.
   */
  lend(giveWay: () => boolean): () => void;
}

interface Holder {
  bytes: number;
  readonly lent: Set<() => boolean>;
}

/**
 * How many bytes of images the streams of a shard hold together, until the images are stored. When nothing is left, who holds most gives
 * up images that are not finished, for those who hold less: a few users who never finish theirs would keep all others out.
 */
export class HeldImages {
  readonly #limit: number;
  readonly #userLimit: number;
  readonly #users = new Map<string, Holder>();
  #bytes = 0;

  constructor(
    limit: number = fixedLimits.imagesHeldPerShard.value,
    userLimit: number = fixedLimits.imagesHeldPerUser.value,
  ) {
    this.#limit = limit;
    this.#userLimit = userLimit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The part of one user, on all its streams together. */
  of(uid: string): ImageMemory {
    return {
      take: (bytes) => {
        const held = this.#users.get(uid)?.bytes ?? 0;
        if (held + bytes > this.#userLimit || !this.#makeSpace(held + bytes, bytes)) return false;
        this.#holder(uid).bytes += bytes;
        this.#bytes += bytes;
        return true;
      },
      give: (bytes) => {
        const holder = this.#users.get(uid);
        if (holder === undefined) return;
        holder.bytes -= bytes;
        this.#bytes -= bytes;
        this.#leave(uid, holder);
      },
      lend: (giveWay) => {
        const holder = this.#holder(uid);
        holder.lent.add(giveWay);
        return () => {
          holder.lent.delete(giveWay);
          this.#leave(uid, holder);
        };
      },
    };
  }

  #holder(uid: string): Holder {
    const known = this.#users.get(uid);
    if (known !== undefined) return known;
    const holder: Holder = { bytes: 0, lent: new Set() };
    this.#users.set(uid, holder);
    return holder;
  }

  /** Forgets a user who holds nothing. */
  #leave(uid: string, { bytes, lent }: Holder): void {
    if (bytes === 0 && lent.size === 0) this.#users.delete(uid);
  }

  /**
   * Has others give back memory until so much more is free.
   * @param share what the user would hold with it: only who holds more gives way.
   */
  #makeSpace(share: number, bytes: number): boolean {
    if (this.#bytes + bytes <= this.#limit) return true;
    const largest = [...this.#users.values()]
      .filter((holder) => holder.bytes > share)
      .sort((one, other) => other.bytes - one.bytes);
    for (const holder of largest) {
      while (holder.bytes > share && [...holder.lent].some((giveWay) => giveWay())) {
        if (this.#bytes + bytes <= this.#limit) return true;
      }
    }
    return false;
  }
}
