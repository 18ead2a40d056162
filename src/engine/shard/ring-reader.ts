import type { AudioCore } from '../../audio/interface/index.js';
import { type MetricsRow, metricCell } from '../../metrics/index.js';
import { RecordKind, type RingConsumer, ringAge, ringTicks } from '../../ring/index.js';
import { keepAliveBytes, type LostRun, readLost } from '../../wire/index.js';
import type { AudioBacklogs, ChannelUse, ConnectionSession } from '../session/index.js';
import { type EngineClock, type FrameBatch, separableSample, separateSides } from '../shared/index.js';
import { trackOfTag } from '../transcription/index.js';
import type { Sessions } from './sessions.js';

const droppedCell = metricCell('frames_queue_dropped_total');
const receivedCell = metricCell('frames_received_total');
const keepAliveCell = metricCell('keepalives_received_total');
const overBudgetCell = metricCell('frames_over_budget_total');

/**
 * Returns the length in bytes of the message that carried a frame. The shard needs the length to count the shortest
 * messages, which are frames or keep-alives. The front itself counts all longer messages as frames.
 */
const messageLength = ({ framing }: ConnectionSession, length: number): number => {
  if (framing === 'whole') return length;
  return framing === 'sides' ? 2 * length : length + 1;
};

/** Subtracts the tag byte of each lost frame from the number of lost bytes. */
const withoutTags = ({ frames, bytes }: LostRun): LostRun => ({ frames, bytes: Math.max(0, bytes - frames) });

export interface RingReaderOptions {
  readonly ring: RingConsumer;
  readonly core: Pick<AudioCore, 'lose'>;
  /** Collects the frames of open streams. The frames themselves stay in the ring. */
  readonly batch: FrameBatch;
  /** Queues the frames that exceed a stream's share of a pass. */
  readonly backlogs: AudioBacklogs;
  readonly sessions: Sessions;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  /**
   * Handles every record except audio and gaps. Before the call the core gets all earlier audio, unless the record is a
   * text. Must not throw.
   * @param payload a view of the ring, valid until this returns.
   */
  readonly control: (kind: number, slot: number, payload: Buffer) => void;
}

/** Reads the ring of a shard. Frames go into the batch for the core, other records to `control`. Use it on the shard's thread only. */
export class RingReader {
  #more = false;
  #oldestArrival = -1;

  constructor(private readonly options: RingReaderOptions) {}

  /** Whether the last pass left unread records in the ring. */
  get more(): boolean {
    return this.#more;
  }

  /** Reads records from the ring, up to the limit of one pass. @returns the number of records read. */
  read(): number {
    const { batch, clock, ring } = this.options;
    this.#more = false;
    batch.renew();
    const records = ring.drain(this.#visit);
    batch.push(clock.monotonic());
    ring.release();
    return records;
  }

  /** Age in ms of the oldest frame read since the last call; 0 if none was read. */
  takeLag(): number {
    if (this.#oldestArrival < 0) return 0;
    const lag = ringAge(this.#oldestArrival, this.options.clock.ring());
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
    const { batch, clock, control, ring } = this.options;
    if (kind === RecordKind.gap) {
      this.#gap(slot, Buffer.from(ring.data.buffer, ring.data.byteOffset + offset, length));
      return true;
    }
    // Earlier audio must reach the core before this record takes effect. A text needs no such order, because texts are
    // read after the audio of the pass.
    if (kind !== RecordKind.text) {
      // If another record arrives while the channel use is still unknown, the stream counts as tagged.
      const session = this.options.sessions.at(slot);
      if (session !== undefined && session.channelChoice !== null) this.#chosen(session, 'tagged');
      batch.push(clock.monotonic());
    }
    control(kind, slot, Buffer.from(ring.data.buffer, ring.data.byteOffset + offset, length));
    return true;
  };

  /**
   * Handles an audio frame. Called for every frame, so it allocates nothing. @returns whether the batch is full.
   * The pass must then end.
   */
  #audio(slot: number, offset: number, length: number, arrival: number): boolean {
    const session = this.options.sessions.at(slot);
    if (session === undefined || !session.takesAudio) return false;
    if (this.#oldestArrival < 0) this.#oldestArrival = arrival;
    if (session.framing === 'whole') return this.#take(session, 0, offset, length, arrival);
    if (session.framing === 'sides') return this.#takeSides(session, offset, length, arrival);
    // An empty frame has no tag; the byte at its offset belongs to another frame.
    const { data } = this.options.ring;
    if (session.channelChoice !== null && length > 0) {
      // A keep-alive message has no tag, so it does not show how the client sends channels.
      if (length <= keepAliveBytes) return false;
      const use = session.channelChoice.hold(data.subarray(offset, offset + length), arrival);
      if (use !== null) this.#chosen(session, use);
      return false;
    }
    const track = length === 0 ? -1 : trackOfTag(data[offset]!);
    if (session.tracks[track] === undefined) {
      this.options.metrics.add('frames_untagged_total');
      return false;
    }
    return this.#take(session, track, offset + 1, length - 1, arrival);
  }

  /** Applies the detected channel use. The frames stored so far are queued, and later frames follow them. */
  #chosen(session: ConnectionSession, use: ChannelUse): void {
    const held = session.channelChoice?.held ?? [];
    session.chooseChannels(use);
    for (const { frame, arrival } of held) {
      if (session.framing === 'tagged')
        this.#wait(session, trackOfTag(frame[0]!), frame.subarray(1), arrival);
      else if (session.framing === 'whole') this.#wait(session, 0, frame, arrival);
      else {
        const half = separateSides(frame, separableSample(session.request));
        this.#wait(session, 0, frame.subarray(0, half), arrival);
        this.#wait(session, 1, frame.subarray(half, 2 * half), arrival);
      }
    }
  }

  /**
   * Does the same as `#take` for a frame whose bytes are outside the ring. Such a frame is always queued, because the
   * batch refers only to bytes in the ring.
   */
  #wait(session: ConnectionSession, index: number, frame: Uint8Array, arrival: number): void {
    if (!session.takesAudio) return;
    const track = session.tracks[index]!;
    const frames = track.audioFrames(frame, 0, frame.length, arrival);
    if (track.framesBefore > 0)
      this.#repeat(session, index, { frame: track.heldPacket, count: track.framesBefore }, arrival);
    this.#repeat(session, index, { frame, count: frames }, arrival);
  }

  /** Queues `count` copies of a frame. */
  #repeat(
    session: ConnectionSession,
    index: number,
    { frame, count }: { readonly frame: Uint8Array; readonly count: number },
    arrival: number,
  ): void {
    const track = session.tracks[index]!;
    for (let repeated = 0; repeated < count; repeated++) {
      if (track.admits(arrival)) this.#delay(session, index, frame, arrival);
      else this.#refuse(session, arrival);
    }
  }

  /** Splits a stereo frame into one frame for each track. */
  #takeSides(session: ConnectionSession, offset: number, length: number, arrival: number): boolean {
    const { batch, clock, ring } = this.options;
    const half = separateSides(ring.data.subarray(offset, offset + length), separableSample(session.request));
    // Pushes a full batch, because it has no space for the other side.
    if (this.#take(session, 0, offset, half, arrival)) batch.push(clock.monotonic());
    return this.#take(session, 1, offset + half, half, arrival);
  }

  /** Handles a frame of one track. @param index number of the track. @returns whether the batch is full. */
  #take(session: ConnectionSession, index: number, offset: number, length: number, arrival: number): boolean {
    const { metrics, ring } = this.options;
    const track = session.tracks[index]!;
    const frames = track.audioFrames(ring.data, offset, length, arrival);
    // A packet that is held back counts as a keep-alive, even if a later message proves that it is audio. Each message
    // therefore counts once.
    if (frames === 0) {
      metrics.addCell(keepAliveCell, 1);
      return false;
    }
    if (messageLength(session, length) <= keepAliveBytes) metrics.addCell(receivedCell, 1);
    if (track.framesBefore > 0)
      this.#repeat(session, index, { frame: track.heldPacket, count: track.framesBefore }, arrival);
    const full = this.#admit(session, index, offset, length, arrival);
    if (frames > 1)
      this.#repeat(
        session,
        index,
        { frame: ring.data.subarray(offset, offset + length), count: frames - 1 },
        arrival,
      );
    return full;
  }

  /** Adds a frame to the batch, or queues it. @returns whether the batch is full. */
  #admit(
    session: ConnectionSession,
    index: number,
    offset: number,
    length: number,
    arrival: number,
  ): boolean {
    const { batch, ring } = this.options;
    const track = session.tracks[index]!;
    if (!track.admits(arrival)) return this.#refuse(session, arrival);
    if (session.backlog === null && batch.takes(track.handle)) {
      track.frameCame(arrival);
      return batch.add(track.handle, offset, length, ringTicks(arrival));
    }
    this.#delay(session, index, ring.data.subarray(offset, offset + length), arrival);
    return false;
  }

  /** Queues a frame behind the waiting frames of its session. */
  #delay(session: ConnectionSession, index: number, frame: Uint8Array, arrival: number): void {
    const { backlogs, metrics } = this.options;
    if (backlogs.add(session, index, frame, arrival)) return;
    metrics.addCell(droppedCell, 1);
    this.#lose(session, index, { frames: 1, bytes: frame.length });
  }

  /** Handles a `gap` record: the ring had no space for some audio frames of the slot. */
  #gap(slot: number, payload: Buffer): void {
    const session = this.options.sessions.at(slot);
    if (session === undefined || !session.takesAudio) return;
    const [most, ofSecondSide] = readLost(payload);
    if (session.framing === 'tagged' || session.framing === 'unknown') {
      this.#lose(session, 0, withoutTags(most));
      this.#lose(session, 1, withoutTags(ofSecondSide));
    } else {
      const frames = most.frames + ofSecondSide.frames;
      this.#lose(session, 0, { frames, bytes: most.bytes + ofSecondSide.bytes });
    }
  }

  /** Records a gap of lost frames after all earlier frames of a track. */
  #lose(session: ConnectionSession, index: number, lost: LostRun): void {
    const { batch, clock, core } = this.options;
    if (lost.frames === 0) return;
    if (session.backlog !== null) {
      session.backlog.lose(index, lost);
      return;
    }
    batch.push(clock.monotonic());
    core.lose(session.tracks[index]!.handle, lost.frames, lost.bytes);
  }

  /** Drops a frame, because its stream sends too many. */
  #refuse(session: ConnectionSession, arrival: number): false {
    this.options.metrics.addCell(overBudgetCell, 1);
    session.audioNotices.overBudget(arrival);
    return false;
  }
}
