import { fixedLimits } from '../../config/limits/index.js';
import type { Journal } from '../../journal/index.js';
import type { Listener } from '../conversation/index.js';
import { photoDescribed } from '../shared/index.js';

/** Time in ms after which a socket no longer waits for the description of an image. */
const watchLifetime = 3_600_000;
/** Maximum number of images in one query. */
const batch = 500;

interface Watched {
  readonly listener: Listener;
  readonly since: number;
}

/** Sends the descriptions of images to the open sockets that sent the images. Use it on the shard's thread only. */
export class PhotoWatch {
  /** Watched images by id, in the order of their next query. */
  readonly #watched = new Map<string, Watched>();
  /** Ids of the images that each socket waits for, oldest first. */
  readonly #awaited = new Map<Listener, Set<string>>();
  #asking = false;

  constructor(private readonly journal: Pick<Journal, 'describedPhotos'>) {}

  /** Number of images that sockets wait for. */
  get size(): number {
    return this.#watched.size;
  }

  /**
   * Starts to wait for an image. A socket that waits for more images than its limit allows stops waiting for the oldest
   * one. @param now ms since the epoch.
   */
  expect(id: string, listener: Listener, now: number): void {
    this.#watched.set(id, { listener, since: now });
    const ids = this.#awaited.get(listener) ?? new Set();
    this.#awaited.set(listener, ids.add(id));
    if (ids.size > fixedLimits.photosAwaited.value) this.#leave(ids.values().next().value!);
  }

  /** Stops waiting for all images of a closed socket. */
  forget(listener: Listener): void {
    for (const id of [...(this.#awaited.get(listener) ?? [])]) this.#leave(id);
  }

  /** Queries for new descriptions. Only one query runs at a time. Never rejects. @param now ms since the epoch. */
  async tick(now: number): Promise<void> {
    if (this.#asking || this.#watched.size === 0) return;
    const ids: string[] = [];
    for (const [id, watched] of this.#watched) {
      if (now - watched.since >= watchLifetime) this.#leave(id);
      else if (ids.push(id) === batch) break;
    }
    if (ids.length === 0) return;
    this.#asking = true;
    try {
      const described = (await this.journal.describedPhotos(ids)) ?? [];
      for (const { id, description, discarded } of described) {
        const watched = this.#leave(id);
        if (description !== null) watched?.listener.send(photoDescribed(id, description, discarded));
      }
    } catch {
      // The database refused the query. A later tick queries again.
    } finally {
      this.#asking = false;
      this.#putBehind(ids);
    }
  }

  /** Moves the images of the last query behind the others, so that the next query covers the others. */
  #putBehind(ids: readonly string[]): void {
    if (this.#watched.size <= batch) return;
    for (const id of ids) {
      const watched = this.#watched.get(id);
      if (watched !== undefined && this.#watched.delete(id)) this.#watched.set(id, watched);
    }
  }

  #leave(id: string): Watched | undefined {
    const watched = this.#watched.get(id);
    if (watched === undefined) return undefined;
    this.#watched.delete(id);
    const ids = this.#awaited.get(watched.listener);
    ids?.delete(id);
    if (ids?.size === 0) this.#awaited.delete(watched.listener);
    return watched;
  }
}
