import { fixedLimits } from '../../config/limits/index.js';

/** The share of one user in a shard's memory for images. */
export interface ImageMemory {
  /** Reserves memory. @returns false if not enough is free. Nothing is then reserved. */
  take(bytes: number): boolean;
  /** Frees reserved memory. */
  give(bytes: number): void;
  /**
   * Registers a stream that can drop unfinished images when other users need memory.
   * @param giveWay drops one image to free its memory. It returns false if the stream has no image to drop.
   * @returns a function that ends the registration.
   */
  lend(giveWay: () => boolean): () => void;
}

interface Holder {
  bytes: number;
  readonly lent: Set<() => boolean>;
}

/**
 * Counts and limits the bytes of images that the streams of a shard hold until the images are stored. When the
 * memory is full, the users with the most bytes drop unfinished images for users with fewer. Otherwise a few users
 * with images that never finish would block all others.
 */
export class HeldImages {
  readonly #users = new Map<string, Holder>();
  #bytes = 0;

  constructor(
    private readonly limit: number = fixedLimits.imagesHeldPerShard.value,
    private readonly userLimit: number = fixedLimits.imagesHeldPerUser.value,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the share of one user. All streams of that user use it together. */
  of(uid: string): ImageMemory {
    return {
      take: (bytes) => {
        const held = this.#users.get(uid)?.bytes ?? 0;
        if (held + bytes > this.userLimit || !this.#makeSpace(held + bytes, bytes)) return false;
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

  /** Removes a user who has no reserved bytes and no registered streams. */
  #leave(uid: string, { bytes, lent }: Holder): void {
    if (bytes === 0 && lent.size === 0) this.#users.delete(uid);
  }

  /**
   * Makes other users drop images until `bytes` more are free.
   * @param share bytes that the requesting user would then hold. Only users with more than this drop images.
   * @returns whether enough is free.
   */
  #makeSpace(share: number, bytes: number): boolean {
    if (this.#bytes + bytes <= this.limit) return true;
    const largest = [...this.#users.values()]
      .filter((holder) => holder.bytes > share)
      .sort((one, other) => other.bytes - one.bytes);
    for (const holder of largest) {
      while (holder.bytes > share && [...holder.lent].some((giveWay) => giveWay())) {
        if (this.#bytes + bytes <= this.limit) return true;
      }
    }
    return false;
  }
}
