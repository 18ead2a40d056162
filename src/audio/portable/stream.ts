import type { AudioNeed, StreamFormat } from '../../wire/index.js';
import {
  CoreEvent,
  type CoreEventKind,
  type CoreOptions,
  coreRate,
  defaultAudioChunk,
  type StreamStatus,
  type Utterance,
  windowSamples,
} from '../interface/index.js';
import { Budget } from './budget.js';
import { type DetectorRate, DetectorState, windowAt } from './detector.js';
import { FrameQueue } from './frame-queue.js';
import { Gate, type GateEvent } from './gate.js';
import { HandOut, type TakePiece } from './hand-out.js';
import { OpusStream, opusDuration } from './opus.js';
import { PcmDecoder } from './pcm.js';
import { Recording } from './recording.js';
import { RefusedFrames, type RefusedRun } from './refused-frames.js';
import { Resampler } from './resampler.js';
import { SampleQueue } from './sample-queue.js';

/**
 * Reports an event of a stream.
 * @param pcm samples of an event with audio.
 */
export type Emit = (
  handle: number,
  kind: CoreEventKind,
  a: number,
  b?: number,
  c?: number,
  pcm?: Int16Array,
) => void;

const maxFrame = 512 * 1024;
const maxCodedBytes = 40_960;
const maxPcmBytes = 4_194_304;
/** Number of samples in one step through a gap, so that a long gap needs no long buffer. */
const gapStep = 480;
/** Length in samples at 16 kHz of the start of a gap that passes through resampler and detector. The rest is skipped as silence. */
const bridgedSamples = 3200;
/** Number of bytes of buffered audio that a stream may hold without speech. */
const idleAudioBytes = 32_768;

/** One stream of the portable core; corresponds to native/stream/stream.h. Gaps become silence. */
export class Stream {
  /** Rate in Hz of the detector's model. A stream of 8 kHz is detected at 8 kHz, and only its speech is resampled. */
  readonly detectorRate: DetectorRate;
  readonly detector: DetectorState;
  /** Whether the stream reports its open utterances. */
  watched = false;
  /** Whether the stream waits for a detector run or is in a run. */
  queued = false;
  /** Time at which the stream was queued, in ms. */
  since = 0;
  /** Whether the stream must be finished when the detector has processed all its windows. */
  flushing = false;
  closed = false;
  faults = 0;
  /**
   * Arrival time of the frame that completed the window. If a gap completed the window, this is the arrival time of the
   * first frame behind the gap.
   */
  arrival = 0;
  readonly #rate: number;
  readonly #queue: FrameQueue;
  readonly #budget: Budget | undefined;
  readonly #gate: Gate;
  readonly #pcm: PcmDecoder | undefined;
  readonly #opus: OpusStream | undefined;
  readonly #resampler: Resampler | undefined;
  /** Decoded samples that the detector has not read. */
  readonly #fifo = new SampleQueue();
  /** Audio up to the gate's position. */
  readonly #recording: Recording;
  readonly #handOut: HandOut;
  /** Number of samples of a window at the rate of the detector's model. */
  readonly #window: number;
  #utterances: Utterance[] = [];
  /** The gate's positions at the last time when all events of the stream had been returned. */
  #told = { decided: 0, needed: 0 };
  #gapUnits = 0;
  #gapFrames = 0;
  /** Duration of the part of the gap that passed through the detector, in the frame queue's units. */
  #bridged = 0;
  /**
   * Number of windows in one step through a skipped gap: the smallest number that lasts a whole number of the frame
   * queue's units.
   */
  readonly #skipWindows: number;
  /** Duration of one step through a skipped gap, in the frame queue's units. */
  readonly #skipUnits: number;
  #decoded = 0;
  #invalid = 0;
  #dropped = 0;
  #overBudget = 0;
  /** Number of frames over the budget that no event has reported yet. */
  refused = 0;
  readonly #refused = new RefusedFrames();
  /** Frames that were lost before they arrived, since the last pushed frame. */
  #lost = { frames: 0, bytes: 0 };

  constructor(
    readonly handle: number,
    format: StreamFormat,
    options: CoreOptions,
  ) {
    this.#gate = new Gate(options.gate);
    if (options.budget) this.#budget = new Budget(options.budget);
    const wide = format.codec === 'pcm16';
    const raw = wide || format.codec === 'pcm8';
    this.detectorRate = raw && format.sampleRate === 8000 ? 8000 : coreRate;
    this.detector = new DetectorState(this.detectorRate);
    this.#recording = new Recording(this.detectorRate);
    const chunk = Math.max(windowSamples, (options.audioChunk ?? defaultAudioChunk) * 16);
    this.#handOut = new HandOut(this.#gate, this.#recording, chunk);
    this.#window = windowAt(this.detectorRate);
    if (raw) {
      this.#pcm = new PcmDecoder(wide, format.channels);
      this.#rate = format.sampleRate;
      const units = Math.floor((options.frameQueueDuration * this.#rate) / 1000) * this.#pcm.frameBytes;
      this.#queue = new FrameQueue(units, maxPcmBytes);
      if (this.#rate !== this.detectorRate) this.#resampler = new Resampler(this.#rate);
    } else {
      this.#opus = new OpusStream();
      this.#rate = coreRate;
      this.#queue = new FrameQueue((options.frameQueueDuration * coreRate) / 1000, maxCodedBytes);
    }
    const unit = this.#pcm?.frameBytes ?? 1;
    let windows = 1;
    while (!Number.isInteger((windows * windowSamples * this.#rate) / coreRate)) windows++;
    this.#skipWindows = windows;
    this.#skipUnits = ((windows * windowSamples * this.#rate) / coreRate) * unit;
  }

  /** Adds a frame and owns its memory. */
  push(bytes: Uint8Array, arrival: number, now: number): void {
    const usable = bytes.length > 0 && bytes.length <= maxFrame;
    const units = !usable ? 0 : this.#opus ? opusDuration(bytes) : bytes.length;
    if (units === 0) {
      this.#fault();
      return;
    }
    const duration = ((this.#pcm ? units / this.#pcm.frameBytes : units) * 1000) / this.#rate;
    if (this.#budget?.take(duration, now) === false) {
      this.#refused.add({ frames: 1, units, bytes: bytes.length });
      this.#overBudget++;
      this.refused++;
      return;
    }
    if (this.#lost.frames > 0) {
      const { frames, bytes: lost } = this.#lost;
      this.#refused.add({ frames, units: this.#opus ? frames * units : lost, bytes: lost });
      this.#lost = { frames: 0, bytes: 0 };
    }
    this.#openGap(this.#refused.taken(this.#queue.length));
    for (const lost of this.#queue.push({ bytes, units, arrival })) {
      this.#pcm?.skip(lost.bytes.length);
      this.#gapUnits += lost.units;
      this.#gapFrames++;
      this.#dropped++;
      this.#openGap(this.#refused.passed());
    }
  }

  /** Records frames that were lost before they arrived; see `AudioCore.lose`. */
  lose(frames: number, bytes: number): void {
    this.#lost = { frames: this.#lost.frames + frames, bytes: this.#lost.bytes + bytes };
  }

  /** Number of complete windows, including windows that the queued frames will give once decoded. */
  get windowsReady(): number {
    const units = this.#gapUnits + this.#refused.waitingUnits + this.#queue.units;
    const inputs = this.#pcm ? Math.floor(units / this.#pcm.frameBytes) : units;
    const waiting = this.#resampler ? this.#resampler.outputsFor(inputs) : inputs;
    return Math.floor((this.#fifo.length + waiting) / this.#window);
  }

  /**
   * Decodes until a window is complete.
   * @returns whether a window is complete.
   */
  fill(emit: Emit): boolean {
    while (this.#fifo.length < this.#window) {
      if (this.#gapUnits > 0) {
        this.#bridgeGap(emit);
        continue;
      }
      const frame = this.#queue.shift();
      if (!frame) return false;
      this.arrival = frame.arrival;
      const samples = this.#opus ? this.#opus.decode(frame.bytes) : this.#pcm!.decode(frame.bytes);
      if (samples) {
        this.#decoded++;
        this.#append(samples);
      } else {
        this.#fault();
      }
      this.#openGap(this.#refused.passed());
    }
    return true;
  }

  /** Returns a copy of the complete window. Call it only after `fill` returned true. */
  window(): Int16Array {
    return this.#fifo.slice(0, this.#window);
  }

  /** Passes the window's probability to the gate and drops the window. */
  advance(probability: number, emit: Emit): void {
    this.#recording.push(this.#fifo.slice(0, this.#window));
    this.#fifo.drop(this.#window);
    this.#report(this.#gate.step(probability), emit);
    this.#handOutAudio(emit);
  }

  /** Ends the open utterance and hands out the remaining audio. */
  finish(emit: Emit): void {
    this.#report(this.#gate.flush(this.#position), emit);
    this.#handOutAudio(emit, this.#position);
  }

  choose(need: AudioNeed): void {
    this.#handOut.choose(need);
  }

  /** Returns a copy of the open utterance so far. */
  openUtterance(): Utterance | undefined {
    if (!this.#gate.announced || this.#handOut.need !== 'utterances') return undefined;
    const { last, speechEnd, probability, ...event } = this.#gate.openUtterance();
    const first = Math.max(event.first, this.#handOut.handedOut);
    if (first >= speechEnd) return undefined;
    const pcm = this.#recording.copy(first, last, this.#fifo.slice(0, this.#fifo.length));
    return {
      pcm,
      start: first,
      speechStart: Math.max(first, event.speechStart),
      speechEnd,
      cut: false,
      probability,
    };
  }

  linger(on: boolean): void {
    this.#gate.lingers = on;
  }

  take(): Utterance | undefined {
    return this.#utterances.shift();
  }

  close(): void {
    this.closed = true;
    this.#opus?.drop();
  }

  /** Records that all events of the stream so far were returned. */
  tell(): void {
    this.#told = { decided: this.#gate.position, needed: Math.max(0, this.#gate.retainFrom) };
  }

  status(): StreamStatus {
    const buffers =
      this.#fifo.bytes + Math.min(this.#recording.bytes, idleAudioBytes) + (this.#resampler?.bytes ?? 0);
    return {
      position: this.#position,
      ...this.#told,
      speaking: this.#gate.speaking,
      // The WASM decoder's state has about 18 kB; the detector's state and this object have about 2 kB.
      bytes: this.#queue.bytes + buffers + (this.#opus ? 20_000 : 2000),
      speechBytes: this.#speechBytes(),
      framesDecoded: this.#decoded,
      framesInvalid: this.#invalid,
      framesDropped: this.#dropped,
      framesOverBudget: this.#overBudget,
      framesSkipped: 0,
    };
  }

  #speechBytes(): number {
    let bytes = Math.max(0, this.#recording.bytes - idleAudioBytes);
    for (const { pcm } of this.#utterances) bytes += pcm.byteLength;
    return bytes;
  }

  get #position(): number {
    return this.#gate.position + (this.#fifo.length * coreRate) / this.detectorRate;
  }

  /** Begins a gap of refused or lost frames, if there are any. */
  #openGap({ frames, units, bytes }: RefusedRun): void {
    if (frames === 0) return;
    this.#pcm?.skip(bytes);
    this.#gapUnits += units;
    this.#gapFrames += frames;
  }

  #fault(): void {
    this.#invalid++;
    this.faults++;
  }

  #append(samples: Int16Array): void {
    this.#fifo.push(this.#resampler ? this.#resampler.process(samples) : samples);
  }

  #bridgeGap(emit: Emit): void {
    const unit = this.#pcm?.frameBytes ?? 1;
    this.arrival = this.#queue.oldestArrival ?? this.arrival;
    if (this.#gapFrames > 0) {
      const inputs = Math.floor(this.#gapUnits / unit);
      const samples = Math.floor((inputs * coreRate) / this.#rate);
      emit(this.handle, CoreEvent.dropped, this.#gapFrames, samples, this.#position);
      this.#gapFrames = 0;
      this.#bridged = 0;
    }
    const bridged = ((this.#bridged / unit) * coreRate) / this.#rate;
    if (bridged >= bridgedSamples && this.#gapUnits >= this.#skipUnits) {
      this.#handOut.skip(this.#skipWindows * windowSamples, this.#pieces(emit));
      // The samples left in `#fifo` are silent, too. So it does not matter that the skipped windows are recorded before
      // them.
      for (let w = 0; w < this.#skipWindows; w++) {
        this.#recording.push(new Int16Array(this.#window));
        this.#report(this.#gate.step(0), emit);
      }
      this.#gapUnits -= this.#skipUnits;
      return;
    }
    // Rounds up, because `PcmDecoder.skip` discards the rest of an incomplete sample.
    const count = Math.min(Math.ceil(this.#gapUnits / unit), gapStep);
    const taken = Math.min(this.#gapUnits, count * unit);
    this.#gapUnits -= taken;
    this.#bridged += taken;
    this.#append(new Int16Array(count));
  }

  #report(events: GateEvent[], emit: Emit): void {
    for (const event of events) {
      if (event.kind === CoreEvent.open) {
        if (this.watched && this.#handOut.need === 'utterances')
          emit(this.handle, CoreEvent.open, event.first, event.last, event.cut ? 1 : 0);
        continue;
      }
      if (event.kind !== CoreEvent.utterance) {
        this.#handOut.speech(event);
        emit(this.handle, event.kind, event.first, event.probability);
        continue;
      }
      const { last, speechEnd, cut, probability } = event;
      const first = Math.max(event.first, this.#handOut.handedOut);
      if (this.#handOut.need !== 'utterances' || first >= speechEnd) continue;
      const speechStart = Math.max(first, event.speechStart);
      // Includes the samples that do not fill a window, because a flush hands them out, too.
      const pcm = this.#recording.copy(first, last, this.#fifo.slice(0, this.#fifo.length));
      this.#utterances.push({ pcm, start: first, speechStart, speechEnd, cut, probability });
      emit(this.handle, CoreEvent.utterance, first, last, cut ? 1 : 0);
    }
    this.#recording.forget(this.#handOut.retainFrom);
  }

  #pieces(emit: Emit): TakePiece {
    return (position, pcm) => emit(this.handle, CoreEvent.audio, position, 0, pcm.length, pcm);
  }

  #handOutAudio(emit: Emit, last?: number): void {
    if (this.#handOut.need === 'utterances') return;
    this.#handOut.run(this.#fifo.slice(0, this.#fifo.length), this.#pieces(emit), last);
  }
}
