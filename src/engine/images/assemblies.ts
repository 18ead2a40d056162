import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { MessageRefusal } from '../shared/index.js';
import type { ImageMemory } from './held-images.js';

export interface ImageChunk {
  /** The client's id of the image. */
  readonly id: string;
  readonly index: number;
  readonly total: number;
  /** A part of the image's base64, counted in the user's image memory; null if that memory had no space for it. */
  readonly data: Buffer | null;
}

/** An image with all its chunks, in order. The bytes are still counted in the user's image memory. */
export interface CompleteImage {
  readonly kind: 'complete';
  readonly id: string;
  readonly parts: readonly Buffer[];
  readonly bytes: number;
}

/** Reports that the engine dropped an unfinished image. It is returned once per image. */
export interface RefusedImage extends Pick<MessageRefusal, 'reason' | 'limit'> {
  readonly kind: 'refused';
  readonly id: string;
}

interface Assembly {
  readonly total: number;
  readonly parts: (Buffer | null)[];
  readonly seen: Uint8Array;
  received: number;
  bytes: number;
  refused: boolean;
  /** Wall-clock time (ms) of the newest chunk. */
  at: number;
}

/**
 * Assembles the images of one socket from chunks in any order. It ignores a repeated chunk. It drops unfinished
 * images after a timeout, and the oldest image when there are too many.
 */
export class ImageAssemblies {
  readonly #mostBytes: number;
  /** Ends the registration that `ImageMemory.lend` made; undefined before the first image. */
  #endLending: (() => void) | undefined;
  /** Unfinished images by the client's id, in the order of their newest chunks, oldest first. */
  readonly #assemblies = new Map<string, Assembly>();

  /**
   * @param memory the user's image memory, which counts the chunks.
   * @param limit maximum size of an image, in bytes.
   * @param forgotten called with the number of unfinished images that were dropped.
   * @param displaced called with the id of an unfinished image that was dropped because other users needed its
   * memory.
   */
  constructor(
    private readonly memory: ImageMemory,
    private readonly limit: number,
    private readonly forgotten: (images: number) => void,
    private readonly displaced: (id: string) => void,
  ) {
    this.#mostBytes = 4 * Math.ceil(limit / 3);
  }

  /**
   * Adds a chunk.
   * @param now ms, wall clock.
   * @returns the image if the chunk completes it, a refusal if the image is dropped, otherwise undefined.
   * @throws CochleaError image_chunk_invalid when `total` differs from the `total` of the first chunk.
   */
  add({ id, index, total, data }: ImageChunk, now: number): CompleteImage | RefusedImage | undefined {
    this.expire(now);
    const known = this.#assemblies.get(id);
    if (known !== undefined && known.total !== total) {
      this.#give(data);
      throw new CochleaError('image_chunk_invalid', { why: "total must equal the first chunk's total" });
    }
    const assembly = known ?? this.#begin(total);
    // Moves the image to the end of the map, because its newest chunk arrived now.
    this.#assemblies.delete(id);
    this.#assemblies.set(id, assembly);
    assembly.at = now;
    if (assembly.seen[index] === 1) {
      this.#give(data);
      return undefined;
    }
    assembly.seen[index] = 1;
    assembly.received++;
    const refused = this.#place(id, assembly, index, data);
    if (assembly.received < total) return refused;
    this.#assemblies.delete(id);
    if (assembly.refused) return refused;
    return { kind: 'complete', id, parts: assembly.parts as Buffer[], bytes: assembly.bytes };
  }

  /** Drops images that have received no chunk for `imageTimeout` ms. */
  expire(now: number): void {
    for (const [id, { at }] of this.#assemblies) {
      if (now - at < fixedLimits.imageTimeout.value) return;
      this.#forget(id);
    }
  }

  /** Drops all images. Called when the stream is closed. */
  clear(): void {
    this.#endLending?.();
    this.#endLending = undefined;
    for (const id of [...this.#assemblies.keys()]) this.#forget(id);
  }

  /**
   * Drops one image that holds memory: the image that has waited longest for its next chunk. @returns false if no
   * image holds memory.
   */
  #giveWay(): boolean {
    for (const [id, assembly] of this.#assemblies) {
      if (assembly.bytes === 0) continue;
      this.#drop(assembly);
      assembly.refused = true;
      this.displaced(id);
      return true;
    }
    return false;
  }

  #begin(total: number): Assembly {
    this.#endLending ??= this.memory.lend(() => this.#giveWay());
    if (this.#assemblies.size >= fixedLimits.imagesUnfinished.value) {
      this.#forget(this.#assemblies.keys().next().value!);
    }
    return { total, parts: [], seen: new Uint8Array(total), received: 0, bytes: 0, refused: false, at: 0 };
  }

  #place(id: string, assembly: Assembly, index: number, data: Buffer | null): RefusedImage | undefined {
    if (assembly.refused) {
      this.#give(data);
      return undefined;
    }
    if (data !== null && assembly.bytes + data.length <= this.#mostBytes) {
      assembly.parts[index] = data;
      assembly.bytes += data.length;
      return undefined;
    }
    this.#give(data);
    this.#drop(assembly);
    assembly.refused = true;
    return data === null
      ? { kind: 'refused', id, reason: 'images_waiting' }
      : { kind: 'refused', id, reason: 'image_too_large', limit: this.limit };
  }

  #forget(id: string): void {
    const assembly = this.#assemblies.get(id)!;
    this.#assemblies.delete(id);
    this.#drop(assembly);
    if (!assembly.refused) this.forgotten(1);
  }

  #drop(assembly: Assembly): void {
    this.memory.give(assembly.bytes);
    assembly.parts.length = 0;
    assembly.bytes = 0;
  }

  #give(data: Buffer | null): void {
    if (data !== null) this.memory.give(data.length);
  }
}
