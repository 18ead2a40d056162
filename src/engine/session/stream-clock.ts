import type { ContinuedTimes } from '../positions/index.js';

/** Length in ms of a pause without audio after which the next frame sets a new anchor. */
export const reanchorAfter = 10_000;

const samplesPerMillisecond = 16;
/**
 * Number of remembered anchors. An utterance may be reported after the pause that follows it, but never several
 * pauses later. A backlog sets an anchor after each of its utterances.
 */
const anchorsKept = 32;
/**
 * Ms by which the computed time of the newest sample may lie after its arrival before the anchor moves back. The
 * tolerance allows for bursts of frames. It is shorter than the silence that ends speech.
 */
const tolerance = 500;
/** Time in ms over which the speed of arriving audio is measured, to find the end of a backlog. */
const paceWindow = 1000;
/** If audio arrives at more than this multiple of real time, it belongs to a backlog. */
const backlogPace = 1.5;

/**
 * A linear relation between positions and wall-clock times. The relation is valid from `position` to the position of
 * the next anchor.
 */
interface Anchor {
  readonly position: number;
  /** Wall clock (ms) of the position. */
  wall: number;
  /** Earliest wall-clock time (ms) of the samples at this anchor and after it. */
  readonly floor: number;
  /** Earliest value to which `wall` may move back, usually the end of the earlier audio. */
  least: number;
}

const lineOf = ({ position, wall }: Anchor, sample: number): number =>
  wall + (sample - position) / samplesPerMillisecond;

/**
 * Converts positions on a stream's clock to wall-clock times. The stream's clock counts samples at 16 kHz since the
 * stream opened. The first frame sets an anchor: a position and its wall-clock time. The first frame after a pause sets
 * another anchor, because the stream's clock stops while no audio arrives.
 *
 * After a stall, a device sends old audio faster than it was spoken. The anchor then moves back, so that no sample lies
 * after its arrival. The anchor moves back at most to the end of the earlier audio, because the old audio was spoken
 * after it.
 *
 * A later sample never has an earlier time. `tell` fixes the times of final words, which then no longer change.
 */
export class StreamClock {
  readonly #anchors: Anchor[] = [];
  /** The last sample whose time `tell` has fixed; its position is -1 before the first. */
  #told = { position: -1, wall: Number.NEGATIVE_INFINITY };

  /** Start of the measurement that shows how fast audio arrives; undefined after the first backlog. */
  #paced: { readonly position: number; readonly wall: number } | undefined;

  /**
   * @param continued returns the times of an earlier connection if the stream continues its audio. Such a stream may
   * begin with a backlog, so its first sample gets the time at which it was probably recorded. If the audio later
   * arrives in real time but its times are still too early, the device did not record for a while. The times then move
   * forward. Any other stream that is always faster than real time counts as a file. The times between the words of a
   * file never change: instead of the anchor, the start of the transcript moves back (see `Transcript`).
   */
  constructor(private readonly continued: () => ContinuedTimes | undefined = () => undefined) {}

  get running(): boolean {
    return this.#anchors.length > 0;
  }

  /** Wall clock (ms) of the first frame; undefined before it. */
  get startedAt(): number | undefined {
    return this.#startedAt;
  }
  #startedAt: number | undefined;

  /**
   * Sets an anchor.
   * @param position number of samples before the frame that has just arrived.
   * @param wall arrival of the frame, ms since the epoch.
   */
  anchor(position: number, wall: number): void {
    this.#startedAt ??= wall;
    const times = this.running ? undefined : this.continued();
    // The first anchor of a file never moves, because shown words may already have set the start of the transcript.
    const isFile = !this.running && times === undefined;
    const least = this.wallOf(position, Number.NEGATIVE_INFINITY);
    const floor = times?.end ?? least;
    this.#paced = times?.expected === undefined ? undefined : { position, wall };
    const recorded = Math.min(wall, times?.expected ?? wall);
    this.#add({ position, wall: Math.max(recorded, floor), floor, least: isFile ? wall : least });
  }

  /** Records that the audio before `position` has arrived. @param wall ms since the epoch. */
  arrived(position: number, wall: number): void {
    const anchor = this.#anchors.at(-1);
    if (anchor === undefined) return;
    this.#endBacklog(position, wall);
    const excess = lineOf(anchor, position) - wall;
    const back = Math.min(excess, anchor.wall - anchor.least);
    if (excess <= tolerance || back <= 0) return;
    const told = this.#told;
    if (told.position <= anchor.position) anchor.wall -= back;
    else
      this.#add({
        position: told.position,
        wall: lineOf(anchor, told.position) - back,
        floor: told.wall,
        least: anchor.least + (told.position - anchor.position) / samplesPerMillisecond,
      });
  }

  /**
   * Moves times forward when a backlog has ended and its audio is still too early. The device did not record for a
   * while, at an unknown place in the backlog.
   */
  #endBacklog(position: number, wall: number): void {
    const paced = this.#paced;
    if (paced === undefined || wall - paced.wall < paceWindow) return;
    const isBacklog = position - paced.position > backlogPace * samplesPerMillisecond * (wall - paced.wall);
    this.#paced = isBacklog ? { position, wall } : undefined;
    const early = wall - this.wallOf(position, wall);
    if (isBacklog || early <= tolerance) return;
    const from = Math.max(paced.position, this.#told.position);
    const floor = this.wallOf(from, wall);
    this.#add({ position: from, wall: floor + early, floor, least: floor });
  }

  /** Returns the wall-clock time (ms) of a sample, or `fallback` before the first frame. */
  wallOf(sample: number, fallback: number): number {
    let anchor = this.#anchors[0];
    if (anchor === undefined) return fallback;
    for (const later of this.#anchors) {
      if (later.position > sample) break;
      anchor = later;
    }
    return Math.max(anchor.floor, lineOf(anchor, sample));
  }

  /** Returns `wallOf` of a sample of final words. The times up to this sample no longer change. */
  tell(sample: number, fallback: number): number {
    const wall = this.wallOf(sample, fallback);
    if (this.running && sample >= this.#told.position) this.#told = { position: sample, wall };
    return wall;
  }

  #add(anchor: Anchor): void {
    if (this.#anchors.length === anchorsKept) this.#anchors.shift();
    this.#anchors.push(anchor);
  }
}
