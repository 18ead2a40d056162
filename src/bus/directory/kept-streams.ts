import { UserSums } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { machineOf, type Node } from '../members/index.js';
import type { OpenStream } from './messages.js';

const { value: most } = fixedLimits.directoryStreams;
const { value: mostOfEngine } = fixedLimits.directoryEngineStreams;
const { value: mostOfUser } = fixedLimits.directoryUserStreams;

interface Kept extends OpenStream {
  readonly engine: string;
  readonly run: string;
}

/**
 * The newest stream of each key, for the users whose home is this engine. The newest stream is the stream that took its
 * conversation from the database last (`takenAt`). So the order in which messages arrive does not matter.
 */
export class KeptStreams {
  readonly #streams = new Map<string, Kept>();
  /** Number of streams by machine. */
  readonly #engines = new UserSums();
  readonly #users = new UserSums();

  get size(): number {
    return this.#streams.size;
  }

  /**
   * Keeps a stream if it is the newest of its key.
   * @returns `older` is the engine with the older stream if two engines have a stream of the key, otherwise null. The
   *   result is `full` if the stream was not kept, because a limit is reached or because its key belongs to another
   *   user.
   */
  opened(engine: Node, stream: OpenStream): { readonly older: string | null } | 'full' {
    const before = this.#streams.get(stream.key);
    const kept = { ...stream, engine: engine.id, run: engine.run };
    if (before === undefined || before.engine === engine.id) {
      if (before === undefined ? this.#isFull(kept) : before.user !== kept.user) return 'full';
      const takenAt = Math.max(before?.takenAt ?? 0, stream.takenAt);
      this.#set({ ...kept, takenAt });
      return { older: null };
    }
    const isNewer =
      kept.takenAt > before.takenAt || (kept.takenAt === before.takenAt && kept.engine > before.engine);
    if (!isNewer) return { older: engine.id };
    if (before.user !== kept.user || this.#engines.of(machineOf(engine.id)) >= mostOfEngine) return 'full';
    this.#set(kept);
    return { older: before.engine };
  }

  /** Forgets the stream of a key if the stream is on the given engine. */
  closed(engine: string, key: string): void {
    if (this.#streams.get(key)?.engine === engine) this.#remove(key);
  }

  /** Forgets all streams for which `stays` returns false. */
  keepOnly(stays: (stream: Kept) => boolean): void {
    for (const stream of [...this.#streams.values()]) if (!stays(stream)) this.#remove(stream.key);
  }

  #isFull({ engine, user }: Kept): boolean {
    return (
      this.#streams.size >= most ||
      this.#engines.of(machineOf(engine)) >= mostOfEngine ||
      this.#users.of(user) >= mostOfUser
    );
  }

  #set(kept: Kept): void {
    this.#remove(kept.key);
    this.#streams.set(kept.key, kept);
    this.#engines.add(machineOf(kept.engine), 1);
    this.#users.add(kept.user, 1);
  }

  #remove(key: string): void {
    const kept = this.#streams.get(key);
    if (kept === undefined) return;
    this.#streams.delete(key);
    this.#engines.add(machineOf(kept.engine), -1);
    this.#users.add(kept.user, -1);
  }
}
