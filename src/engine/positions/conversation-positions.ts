import { CochleaError } from '../../errors/index.js';
import type { ConversationKey, Journal } from '../../journal/index.js';
import type { AudioPosition } from '../../wire/index.js';
import type { PositionsMark, StreamPositions } from './stream-positions.js';

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
  /** The streams that use positions, in order of joining. The newest stays when it leaves, because its words may wait. */
  readonly #streams = new Set<StreamPositions>();
  #newest: StreamPositions | undefined;
  /** The last position that was stored. */
  #stored: AudioPosition | undefined;

  constructor(
    private readonly key: ConversationKey,
    private readonly journal: Journal,
    private readonly members: ReadonlySet<PositionedMember>,
  ) {}

  /**
   * Whether all streams use positions. Their devices send again all audio that is not stored. So provisional words are
   * not stored. Words of a conversation that another stream has taken over are not stored either.
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
   * Begins the positions of a stream. Call it when no other stream can store words of its clock any more.
   * @returns the position in ms from which the device has to send; undefined if it uses no positions.
   */
  async resume({ positions }: PositionedMember): Promise<number | undefined> {
    if (positions === null) return undefined;
    const { clock } = positions;
    const own = this.#stored?.clock === clock ? this.#stored.confirmed : null;
    const read = await this.journal.audioConfirmed(this.key, clock);
    const tracks = Math.max(own?.length ?? 0, read?.length ?? 0);
    const larger = Array.from({ length: tracks }, (_, track) =>
      Math.max(own?.[track] ?? 0, read?.[track] ?? 0),
    );
    const resumeAt = positions.resume(larger);
    this.#streams.add(positions);
    this.#newest = positions;
    this.#stored = { clock, confirmed: larger };
    return resumeAt;
  }

  /**
   * Checks whether another engine has stored a later position of the clock. If so, the streams pass no more words on.
   * Call it after this shard has taken the conversation back.
   */
  async overtaken(): Promise<boolean> {
    const clock = this.#newest?.clock;
    if (clock === undefined) return false;
    const read = await this.journal.audioConfirmed(this.key, clock);
    const own = this.#stored?.clock === clock ? this.#stored.confirmed : [];
    if (read === null || read.every((position, track) => position <= (own[track] ?? 0))) return false;
    for (const stream of this.#streams) stream.freeze();
    return true;
  }

  /** Forgets a stream that has left. */
  leave({ positions }: PositionedMember): void {
    if (positions !== null) this.#streams.delete(positions);
  }

  /** Returns the positions that hold when all words that were passed on until now are stored. */
  mark(): ConversationMark {
    const marks = new Map<StreamPositions, PositionsMark>();
    for (const stream of this.#all()) {
      const mark = stream.mark();
      if (mark !== undefined) marks.set(stream, mark);
    }
    const mark = this.#newest && marks.get(this.#newest);
    return { marks, stored: mark && this.#newest?.positionOf(mark) };
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

  /** The open streams, and the newest one also after it has left. */
  #all(): ReadonlySet<StreamPositions> {
    return this.#newest === undefined ? this.#streams : new Set([...this.#streams, this.#newest]);
  }
}
