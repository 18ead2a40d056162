import { coreRate } from '../../audio/interface/index.js';
import type { AudioPosition } from '../../wire/index.js';
import { TrackPositions } from './track-positions.js';

const samplesPerMs = coreRate / 1000;

/**
 * Devices get positions that are multiples of this many ms. This length is a multiple of every frame length of Opus and
 * LC3, so a device can send again from the start of a frame.
 */
const positionStep = 120;

/** Value of `passed` for a stream that has lost segments. The number of stored segments never reaches this value. */
const lost = Number.POSITIVE_INFINITY;

const wholeSteps = (position: number): number => Math.floor(position / positionStep) * positionStep;

/** The positions of a stream at one moment, and the number of segments that were passed on before that moment. */
export interface PositionsMark {
  /** Position in ms of each track. */
  readonly confirmed: readonly number[];
  /** Number of segments that were passed on to the conversation (see `StreamPositions.pass`). */
  readonly passed: number;
  /** For each track, the position in ms after which the newest words lie; undefined before the first words. */
  readonly since: readonly number[] | undefined;
  /** See `AudioPosition.began`. */
  readonly began: number | undefined;
}

export interface StreamPositionsOptions {
  /** The id of the device's clock. */
  readonly clock: string;
  /** Position in ms that the device states. An earlier stream confirmed this position to the device. */
  readonly stated: number;
  readonly tracks: number;
  /** Returns the bound of each track; see `TrackPositions.complete`. */
  readonly bounds: () => readonly number[];
  /** Returns the wall clock (ms) of a sample of the first track; undefined before the first frame. */
  readonly wallOf: (sample: number) => number | undefined;
}

/**
 * Positions of one stream on its device's clock. They tell which audio is stored, so that the device may delete it. The
 * words of a stream are passed on to its conversation, which reports when they are stored.
 */
export class StreamPositions {
  readonly clock: string;
  readonly tracks: readonly TrackPositions[];
  /**
   * Number of this stream among the streams of its clock; undefined if the stream has no number. It is set before
   * `resume`.
   */
  stream: number | undefined;
  /** Position in ms of the first sample of this stream; undefined before `resume`. */
  #base: number | undefined;
  #passed = 0;
  #stored = 0;
  #isDiscarded = false;
  /** For each track, the position in ms before which everything is stored. */
  #confirmed: readonly number[];
  /** The last position that the client got. */
  #told = 0;
  /**
   * For each track, the position in ms from which this stream stores words: the position that the device stated, or the
   * stored position if that is later.
   */
  #resumedAt: readonly number[] = [];
  #isHeld = false;
  #since: readonly number[] | undefined;
  #began: number | undefined;

  constructor(private readonly options: StreamPositionsOptions) {
    this.clock = options.clock;
    this.tracks = Array.from({ length: options.tracks }, () => new TrackPositions());
    this.#confirmed = this.tracks.map(() => 0);
  }

  /**
   * Sets the position of the stream's first sample.
   * @param stored the stored position of each track on this clock; null if none is known.
   * @param end wall clock (ms) at which the stored words of the conversation end; undefined if it has none.
   * @param began the stored `AudioPosition.began`; undefined if none is known.
   * @returns the position in ms from which the device has to send.
   */
  resume(stored: readonly number[] | null, end?: number, began?: number): number {
    const { stated } = this.options;
    const positions = this.tracks.map((_, track) => Math.max(stated, stored?.[track] ?? 0));
    const lowest = Math.min(...positions);
    const base = Math.max(stated, wholeSteps(lowest));
    this.#base = base;
    this.#resumedAt = positions;
    this.#told = base;
    this.#skip(positions);
    this.#began = began;
    if (base === 0) return base;
    // With two tracks, the words of one track may be earlier than the words of the other, so `end` is not used.
    const last = (this.tracks.length === 1 ? end : undefined) ?? Number.NEGATIVE_INFINITY;
    const expected = began === undefined ? undefined : began + base;
    for (const track of this.tracks) track.continued = { end: last, expected };
    return base;
  }

  /** For each track, the position in ms from which this stream stores words. `resume` determines it. */
  get resumedAt(): readonly number[] {
    return this.#resumedAt;
  }

  /** Whether all words that were passed on are stored. */
  get #isStored(): boolean {
    return this.#passed === this.#stored;
  }

  /** Whether no word that was passed on waits to be stored: all are stored, or the waiting ones were discarded. */
  get isSettled(): boolean {
    return this.#isDiscarded || this.#isStored;
  }

  /** Whether this stream holds its words back until `release`. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Holds words back until `release`. */
  hold(): void {
    this.#isHeld = true;
    for (const track of this.tracks) track.hold();
  }

  /**
   * Starts to pass words on. Audio whose words were stored between `resume` and this call is skipped.
   * @param stored the stored position of each track; null if it is not known.
   */
  release(stored: readonly number[] | null): void {
    this.#isHeld = false;
    if (stored !== null)
      this.#skip(this.#confirmed.map((position, track) => Math.max(position, stored[track] ?? 0)));
    for (const track of this.tracks) track.release();
  }

  /** Skips the audio of each track before a position in ms, because its words are stored. */
  #skip(positions: readonly number[]): void {
    this.#confirmed = positions;
    for (const [index, track] of this.tracks.entries()) {
      track.skip(Math.ceil((positions[index]! - this.base) * samplesPerMs));
    }
  }

  /** Position in ms of the first sample of this stream; 0 before `resume`. */
  get base(): number {
    return this.#base ?? 0;
  }

  /** Counts segments that are passed on to the conversation. */
  pass(): void {
    this.#passed++;
  }

  /** Returns the present positions; undefined before `resume`. */
  mark(): PositionsMark | undefined {
    const base = this.#base;
    if (base === undefined) return undefined;
    // The tracks count the audio of lost words as complete, but it must not count as stored.
    if (this.#passed === lost)
      return { confirmed: this.#confirmed, passed: lost, since: this.#since, began: this.#began };
    const { bounds: readBounds, wallOf } = this.options;
    const bounds = readBounds();
    const confirmed = this.tracks.map((track, index) => {
      const position = track.complete(bounds[index] ?? 0);
      return Math.max(this.#confirmed[index]!, base + position / samplesPerMs);
    });
    if (!this.#isStored) this.#since = this.#confirmed;
    const wall = wallOf((confirmed[0]! - base) * samplesPerMs);
    if (wall !== undefined) this.#began = wall - confirmed[0]!;
    return { confirmed, passed: this.#passed, since: this.#since, began: this.#began };
  }

  /** Records that everything that was passed on before a mark is stored. */
  stored({ confirmed, passed }: PositionsMark): void {
    this.#stored = Math.max(this.#stored, passed);
    this.#confirmed = this.#confirmed.map((before, track) => Math.max(before, confirmed[track]!));
  }

  /** Passes no more words on, because the device sends again all audio after the last complete position. */
  freeze(): void {
    for (const track of this.tracks) track.freeze();
  }

  /** Records that words which were passed on will never be stored, so the position stays where it is. */
  lost(): void {
    this.#passed = lost;
    this.freeze();
  }

  /** Records that all words which waited to be stored were discarded, so none waits any more. */
  discarded(): void {
    this.lost();
    this.#isDiscarded = true;
  }

  /** Returns the position to tell the client; undefined if it has not advanced. */
  news(): number | undefined {
    const mark = this.mark();
    // If no words are on their way to the database, silence also advances the position.
    if (mark !== undefined && this.#isStored) this.stored(mark);
    const position = wholeSteps(Math.min(...this.#confirmed));
    if (mark === undefined || position <= this.#told) return undefined;
    this.#told = position;
    return position;
  }

  /**
   * Converts a mark to the position that is stored with a conversation.
   * @param after the position that was stored before; undefined if not all words of the change are of this stream.
   */
  positionOf(
    { confirmed, since, began }: PositionsMark,
    after: readonly number[] | undefined,
  ): AudioPosition {
    const { clock, stream } = this;
    const position = { clock, confirmed, began };
    if (after === undefined || stream === undefined || since === undefined) return position;
    return { ...position, newest: { stream, since, after } };
  }
}
