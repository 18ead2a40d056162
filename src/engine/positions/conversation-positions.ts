import { CochleaError } from '../../errors/index.js';
import type { ConversationKey } from '../../journal/feeds/index.js';
import type { Journal } from '../../journal/index.js';
import type { AudioPosition } from '../../wire/index.js';
import type { PositionsMark, StreamPositions } from './stream-positions.js';

/** Returns the larger of two positions, for each track. */
const largerOf = (
  one: readonly number[] | null | undefined,
  other: readonly number[] | null | undefined,
): readonly number[] =>
  Array.from({ length: Math.max(one?.length ?? 0, other?.length ?? 0) }, (_, track) =>
    Math.max(one?.[track] ?? 0, other?.[track] ?? 0),
  );

/** The part of a socket that is needed for its positions. */
export interface PositionedMember {
  readonly positions: StreamPositions | null;
  /** Closes the socket. */
  fault(thrown: unknown): void;
}

/** The positions of all streams of a conversation at one moment. */
export interface ConversationMark {
  readonly marks: ReadonlyMap<StreamPositions, PositionsMark>;
  /** The position to store with the conversation; undefined if no stream uses positions. */
  readonly stored: AudioPosition | undefined;
}

/**
 * Positions of the streams of a conversation on their devices' clocks. A conversation stores one position: that of the
 * newest stream.
 */
export class ConversationPositions {
  /** The open streams that use positions, in order of joining. */
  readonly #streams = new Set<StreamPositions>();
  /** The newest stream, even after it has left, because its words may still wait to be stored. */
  #newest: StreamPositions | undefined;
  /** The last position that was stored. */
  #stored: AudioPosition | undefined;
  /**
   * For each track, the last position that was written together with words, on the newest stream's clock; undefined
   * before `resume`.
   */
  #written: readonly number[] | undefined;
  /**
   * Whether words that wait to be stored may come from a stream without positions, or from an earlier stream that has
   * left.
   */
  #isMixed = false;
  /** Resolves when all streams that have joined so far have their numbers (see `number`). */
  #numbered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly key: ConversationKey,
    private readonly journal: Journal,
    private readonly members: ReadonlySet<PositionedMember>,
  ) {}

  /**
   * Whether all streams use positions. If true, their devices send again all audio that is not stored. The shard then
   * stores no provisional words, and no words of a conversation that another stream has taken over.
   */
  get resends(): boolean {
    if (this.members.size === 0) return this.#newest !== undefined;
    return [...this.members].every(({ positions }) => positions !== null);
  }

  /**
   * Closes earlier streams of the same clock, because the device sends again what they have not stored.
   * @returns whether a stream was closed.
   */
  supersede(member: PositionedMember): boolean {
    const { positions } = member;
    if (positions === null) return false;
    let found = false;
    for (const other of this.members) {
      if (other === member || other.positions?.clock !== positions.clock) continue;
      found = true;
      other.positions.freeze();
      other.fault(new CochleaError('stream_replaced'));
    }
    return found;
  }

  /**
   * Gets a number for a stream from the database (see `Journal.numberStream`). Call it before `resume`. Promises of
   * several calls resolve in the order of the calls. A call may wait for the database, so tasks of the conversation
   * should not wait for it.
   */
  async number({ positions }: PositionedMember): Promise<void> {
    if (positions === null) return;
    const number = this.journal.numberStream(this.key, positions.clock).catch(() => undefined);
    const earlier = this.#numbered;
    this.#numbered = number.then(() => earlier);
    positions.stream = await number;
    await earlier;
  }

  /**
   * Begins the positions of a stream. Call it when no other stream can store words for the same clock any more.
   * @param end wall clock (ms) at which the stored words of the conversation end; undefined if it has none.
   * @returns the position in ms from which the device has to send; undefined if it uses no positions.
   */
  async resume({ positions }: PositionedMember, end: number | undefined): Promise<number | undefined> {
    if (positions === null) return undefined;
    const { clock } = positions;
    const own = this.#stored?.clock === clock ? this.#stored : undefined;
    const read = await this.journal.audioConfirmed(this.key, clock);
    const larger = largerOf(own?.confirmed, read?.confirmed);
    const began = own?.began ?? read?.began ?? undefined;
    const resumeAt = positions.resume(larger, end, began);
    if (positions.stream !== undefined) positions.hold();
    this.#streams.add(positions);
    this.#newest = positions;
    this.#stored = { clock, confirmed: larger, began };
    this.#written = read?.confirmed ?? [];
    return resumeAt;
  }

  /**
   * Records in the database from which position the device sends. Call it when the first audio of the stream has
   * arrived. From then on, words of earlier streams are not stored if the device sends their audio again. Audio whose
   * words were stored between `resume` and this call is skipped. The words of the stream are therefore held back until
   * this call.
   * @returns false if the database is not reachable. The words of the stream are then passed on without the record.
   */
  async arrived({ positions }: PositionedMember): Promise<boolean> {
    const stream = positions?.stream;
    if (!positions || stream === undefined) return true;
    const { clock, resumedAt } = positions;
    const stored = await this.journal
      .noteResume(this.key, { clock, stream, positions: resumedAt })
      .catch(() => null);
    positions.release(stored);
    if (stored === null) return false;
    if (this.#newest === positions && this.#stored?.clock === clock) {
      this.#stored = { ...this.#stored, confirmed: largerOf(this.#stored.confirmed, stored) };
      this.#written = largerOf(this.#written, stored);
    }
    return true;
  }

  /**
   * Checks whether another engine has stored a later position of the clock, or has got audio of a newer stream. If so, the
   * streams pass no more words on. Call it after this shard has taken the conversation back.
   */
  async overtaken(): Promise<boolean> {
    const newest = this.#newest;
    if (newest === undefined) return false;
    const { clock, stream } = newest;
    const read = await this.journal.audioConfirmed(this.key, clock);
    const own = this.#stored?.clock === clock ? this.#stored.confirmed : [];
    const isBehind = read?.confirmed.some((position, track) => position > (own[track] ?? 0)) === true;
    const isOvertaken =
      isBehind ||
      (stream !== undefined && (await this.journal.hasNewerAudio(this.key, clock, stream)) === true);
    if (isOvertaken) for (const positions of this.#streams) positions.freeze();
    return isOvertaken;
  }

  /** Forgets a stream that has left. */
  leave({ positions }: PositionedMember): void {
    // Words of the leaving stream may still wait, because they could not be stored.
    this.#isMixed ||= !(positions?.isSettled ?? false) && positions !== this.#newest;
    if (positions !== null) this.#streams.delete(positions);
  }

  /** Returns the positions that will be valid when all words that were already passed on are stored. */
  mark(): ConversationMark {
    const marks = new Map<StreamPositions, PositionsMark>();
    for (const stream of this.#all()) {
      const mark = stream.mark();
      if (mark !== undefined) marks.set(stream, mark);
    }
    this.#isMixed ||= !this.resends;
    const newest = this.#newest;
    const mark = newest && marks.get(newest);
    // While the newest stream holds its words back, words of an earlier stream may be stored with a later position.
    // That position must not be replaced.
    if (mark === undefined || newest?.isHeld) return { marks, stored: undefined };
    const areOthersSettled = [...marks.keys()].every((stream) => stream === newest || stream.isSettled);
    const after = areOthersSettled && !this.#isMixed ? (this.#written ?? []) : undefined;
    return { marks, stored: newest?.positionOf(mark, after) };
  }

  /** Records that a position was written together with the words of a change. */
  wrote({ clock, confirmed }: AudioPosition): void {
    if (clock === this.#newest?.clock) this.#written = confirmed;
  }

  /** Records that everything before a mark is stored. */
  stored({ marks, stored }: ConversationMark): void {
    for (const [stream, mark] of marks) stream.stored(mark);
    this.#stored = stored ?? this.#stored;
  }

  /** Records that words of the conversation were dropped before they were stored. */
  lost(): void {
    for (const stream of this.#all()) stream.lost();
  }

  /** Records that all words which waited to be stored were discarded. */
  discarded(): void {
    this.#isMixed = false;
    for (const stream of this.#all()) stream.discarded();
  }

  /** Returns the open streams and the newest stream, even if the newest stream has left. */
  #all(): ReadonlySet<StreamPositions> {
    return this.#newest === undefined ? this.#streams : new Set([...this.#streams, this.#newest]);
  }
}
