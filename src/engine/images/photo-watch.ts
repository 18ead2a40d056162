import { fixedLimits } from '../../config/limits/index.js';
import type { Journal } from '../../journal/index.js';
import type { Listener } from '../conversation/index.js';
import { photoDescribed } from '../shared/index.js';

/** Ms after which an image is not waited for any more. */
const watchLifetime = 3_600_000;
/** Images that one statement asks for. */
const batch = 500;

interface Watched {
  readonly listener: Listener;
  readonly since: number;
}

/** The sockets that are told when their images are described, as long as they stay open. On the shard's thread only. */
export class PhotoWatch {
  readonly #journal: Pick<Journal, 'describedPhotos'>;
  /** Those that were asked for longest ago first. */
  readonly #watched = new Map<string, Watched>();
  /** What each socket waits for, oldest first. */
  readonly #awaited = new Map<Listener, Set<string>>();
  #asking = false;

  constructor(journal: Pick<Journal, 'describedPhotos'>) {
    this.#journal = journal;
  }

  /** Images that sockets wait for. */
  get size(): number {
    return this.#watched.size;
  }

  /** Begins to wait; a socket that waits for too many no longer waits for its oldest. @param now ms since the epoch. */
  expect(id: string, listener: Listener, now: number): void {
    this.#watched.set(id, { listener, since: now });
    const ids = this.#awaited.get(listener) ?? new Set();
    this.#awaited.set(listener, ids.add(id));
    if (ids.size > fixedLimits.photosAwaited.value) this.#leave(ids.values().next().value!);
  }

  /** A socket has gone. */
  forget(listener: Listener): void {
    for (const id of [...(this.#awaited.get(listener) ?? [])]) this.#leave(id);
  }

  /** Asks what is described by now. Never rejects; a tick that comes meanwhile asks nothing. @param now ms since the epoch. */
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
      const described = (await this.#journal.describedPhotos(ids)) ?? [];
      for (const { id, description, discarded } of described) {
        const watched = this.#leave(id);
        if (description !== null) watched?.listener.send(photoDescribed(id, description, discarded));
      }
    } catch {
      // The database refuses the question; a later tick asks again.
    } finally {
      this.#asking = false;
      this.#putBehind(ids);
    }
  }

  /** Those that are still waited for go behind the others, which are asked for next. */
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
