import { type MetricsRow, metricCell } from '../metrics/index.js';
import { RecordKind, type RingConsumer, ringAge, ringTicks } from '../ring/index.js';
import type { AudioBacklogs } from './audio-backlogs.js';
import type { EngineClock } from './clock.js';
import type { ConnectionSession } from './connection-session.js';
import type { FrameBatch } from './frame-batch.js';
import type { Sessions } from './sessions.js';
import { trackOfTag } from './track-voices.js';

const droppedCell = metricCell('frames_queue_dropped_total');
const overBudgetCell = metricCell('frames_over_budget_total');

export interface RingReaderOptions {
  readonly ring: RingConsumer;
  /** Takes the frames of open streams, where they lie in the ring. */
  readonly batch: FrameBatch;
  /** Takes the frames of streams that have had enough for one pass. */
  readonly backlogs: AudioBacklogs;
  readonly sessions: Sessions;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  /**
   * Takes every record that is not audio; if it is no text, after the audio before it is in the core. Must not throw.
   * @param payload where it lies in the ring: gone when this has returned.
   */
  readonly control: (kind: number, slot: number, payload: Buffer) => void;
}

/** Reads the ring of a shard: frames go into the batch for the core, other records to `control`. On the shard's thread only. */
export class RingReader {
  readonly #options: RingReaderOptions;
  #more = false;
  #oldestArrival = -1;

  constructor(options: RingReaderOptions) {
    this.#options = options;
  }

  /** Whether the last pass stopped early: there is more in the ring. */
  get more(): boolean {
    return this.#more;
  }

  /** Takes what is in the ring, as far as one pass may. @returns how many records were taken. */
  read(): number {
    const { batch, clock, ring } = this.#options;
    this.#more = false;
    batch.renew();
    const records = ring.drain(this.#visit);
    batch.push(clock.monotonic());
    ring.release();
    return records;
  }

  /** Ms since the oldest frame came that was read after the last call; 0 when none was. */
  takeLag(): number {
    if (this.#oldestArrival < 0) return 0;
    const lag = ringAge(this.#oldestArrival, this.#options.clock.ring());
    this.#oldestArrival = -1;
    return lag;
  }

  readonly #visit = (
    kind: number,
    slot: number,
    offset: number,
    length: number,
    arrival: number,
  ): boolean => {
    if (kind === RecordKind.audio) {
      this.#more = this.#audio(slot, offset, length, arrival);
      return !this.#more;
    }
    const { batch, clock, control, ring } = this.#options;
    // Audio that came before this record is decoded before the record counts. Texts are read later than that anyway.
    if (kind !== RecordKind.text) batch.push(clock.monotonic());
    control(kind, slot, Buffer.from(ring.data.buffer, ring.data.byteOffset + offset, length));
    return true;
  };

  /** Called for every frame: nothing is allocated. @returns whether the batch is full, so that this pass has to end. */
  #audio(slot: number, offset: number, length: number, arrival: number): boolean {
    const session = this.#options.sessions.at(slot);
    if (session === undefined || !session.takesAudio) return false;
    if (this.#oldestArrival < 0) this.#oldestArrival = arrival;
    if (!session.tagged) return this.#take(session, 0, offset, length, arrival);
    // An empty frame has no tag: what lies at its offset is another frame's.
    const track = length === 0 ? -1 : trackOfTag(this.#options.ring.data[offset]!);
    if (session.tracks[track] === undefined) {
      this.#options.metrics.add('frames_untagged_total');
      return false;
    }
    return this.#take(session, track, offset + 1, length - 1, arrival);
  }

  /** As `#audio`. @param index of the track. */
  #take(session: ConnectionSession, index: number, offset: number, length: number, arrival: number): boolean {
    const { backlogs, batch, ring } = this.#options;
    const track = session.tracks[index]!;
    if (!track.admits(arrival)) return this.#refuse(session, arrival);
    if (session.backlog === null && batch.takes(track.handle)) {
      track.frameCame(arrival);
      return batch.add(track.handle, offset, length, ringTicks(arrival));
    }
    const frame = ring.data.subarray(offset, offset + length);
    if (!backlogs.add(session, index, frame, arrival)) {
      this.#options.metrics.addCell(droppedCell, 1);
      session.audioNotices.noSpace(arrival);
    }
    return false;
  }

  /** A frame more than its stream may send. */
  #refuse(session: ConnectionSession, arrival: number): false {
    this.#options.metrics.addCell(overBudgetCell, 1);
    session.audioNotices.overBudget(arrival);
    return false;
  }
}
