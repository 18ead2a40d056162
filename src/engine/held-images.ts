import { fixedLimits } from '../config/limits.js';

/** The part of a user in the memory that a shard has for images. */
export interface ImageMemory {
  /** @returns false when there is not that much left; nothing is taken then. */
  take(bytes: number): boolean;
  /** Gives back what was taken. */
  give(bytes: number): void;
}

/** How many bytes of images the streams of a shard hold together, until the images are stored. */
export class HeldImages {
  readonly #limit: number;
  readonly #userLimit: number;
  readonly #users = new Map<string, number>();
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
        const held = this.#users.get(uid) ?? 0;
        if (held + bytes > this.#userLimit || this.#bytes + bytes > this.#limit) return false;
        this.#users.set(uid, held + bytes);
        this.#bytes += bytes;
        return true;
      },
      give: (bytes) => {
        const held = (this.#users.get(uid) ?? 0) - bytes;
        if (held > 0) this.#users.set(uid, held);
        else this.#users.delete(uid);
        this.#bytes -= bytes;
      },
    };
  }
}
