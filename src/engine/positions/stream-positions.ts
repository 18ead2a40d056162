import { coreRate } from '../../audio/interface/index.js';
import type { AudioPosition } from '../../wire/index.js';
import { TrackPositions } from './track-positions.js';

const samplesPerMs = coreRate / 1000;

/**
 * Length in ms of the steps of positions that devices get. It is a multiple of every frame length of Opus and LC3, so a
 * device can send again from the start of a frame.
 */
const positionStep = 120;

const wholeSteps = (position: number): number => Math.floor(position / positionStep) * positionStep;

/** The positions of a stream at one moment, and the number of segments that were passed on before. */
export interface PositionsMark {
  /** Position in ms of each track. */
  readonly confirmed: readonly number[];
  /** Number of segments that were passed on to the conversation (see `StreamPositions.pass`). */
  readonly passed: number;
}

export interface StreamPositionsOptions {
  /** The id of the device's clock. */
  readonly clock: string;
  /** Position in ms that the device states. An earlier stream confirmed this position to the device. */
  readonly stated: number;
  readonly tracks: number;
  /** Returns the bound of each track; see `TrackPositions.complete`. */
  readonly bounds: () => readonly number[];
}

/**
 * Positions of one stream on its device's clock. They tell which audio is stored, so that the device may delete it. The
 * words of a stream are passed on to its conversation, which reports when they are stored.
 */
export class StreamPositions {
  readonly clock: string;
  readonly tracks: readonly TrackPositions[];
  /** Position in ms of the first sample of this stream; undefined before `resume`. */
  #base: number | undefined;
  #passed = 0;
  #stored = 0;
  /** Position in ms of each track before which everything is stored. */
  #confirmed: readonly number[];
  /** The last position that the client got. */
  #told = 0;

  constructor(private readonly options: StreamPositionsOptions) {
    this.clock = options.clock;
    this.tracks = Array.from({ length: options.tracks }, () => new TrackPositions());
    this.#confirmed = this.tracks.map(() => 0);
  }

  /**
   * Sets the position of the stream's first sample.
   * @param stored the stored position of each track on this clock; null if none is known.
   * @returns the position in ms from which the device has to send.
   */
  resume(stored: readonly number[] | null): number {
    const { stated } = this.options;
    const positions = this.tracks.map((_, track) => Math.max(stated, stored?.[track] ?? 0));
    const lowest = Math.min(...positions);
    const base = Math.max(stated, wholeSteps(lowest));
    this.#base = base;
    this.#confirmed = positions;
    this.#told = base;
    for (const [index, track] of this.tracks.entries()) {
      track.skip(Math.ceil((positions[index]! - base) * samplesPerMs), base > 0);
    }
    return base;
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
    const bounds = this.options.bounds();
    const confirmed = this.tracks.map((track, index) => {
      const position = track.complete(bounds[index] ?? 0);
      return Math.max(this.#confirmed[index]!, base + position / samplesPerMs);
    });
    return { confirmed, passed: this.#passed };
  }

  /** Records that everything that was passed on before a mark is stored. */
  stored({ confirmed, passed }: PositionsMark): void {
    this.#stored = Math.max(this.#stored, passed);
    this.#confirmed = this.#confirmed.map((before, track) => Math.max(before, confirmed[track]!));
  }

  /** Passes no more words on, because the device sends the audio behind the last complete position again. */
  freeze(): void {
    for (const track of this.tracks) track.freeze();
  }

  /** Records that words which were passed on will never be stored, so the position stays where it is. */
  lost(): void {
    this.#passed = Number.POSITIVE_INFINITY;
    this.freeze();
  }

  /** Returns the position to tell the client; undefined if it has not advanced. */
  news(): number | undefined {
    const mark = this.mark();
    // Without words on their way to the database, silence advances the position.
    if (mark !== undefined && mark.passed === this.#stored) this.stored(mark);
    const position = wholeSteps(Math.min(...this.#confirmed));
    if (mark === undefined || position <= this.#told) return undefined;
    this.#told = position;
    return position;
  }

  /** Returns a mark as it is stored with a conversation. */
  positionOf({ confirmed }: PositionsMark): AudioPosition {
    return { clock: this.clock, confirmed };
  }
}
