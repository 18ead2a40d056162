import type { EndStep } from '../../config/settings/index.js';
import type { AudioNeed, Codec, GateNumbers, StreamFormat } from '../../wire/index.js';

/**
 * The interface of the audio core. It has two implementations: the native addon (`native/`) and the portable core (WASM
 * Opus, JavaScript, onnxruntime). One conformance suite runs against both.
 *
 * A core belongs to one thread. It decodes, resamples, detects speech and gates. It does not depend on sessions, users
 * or sockets. The caller numbers the streams: a stream's handle is its slot on the shard.
 */

/**
 * Rate in Hz of a stream's clock and of utterances. The detector also works at this rate, except for PCM and LC3 of 8
 * kHz, where the detector works at 8 kHz.
 */
export const coreRate = 16_000;
/** Number of 16 kHz samples in one detector window: 32 ms. */
export const windowSamples = 512;
/** Default of `CoreOptions.audioChunk`, in ms. */
export const defaultAudioChunk = 100;

/** Settings of the gate. Every duration is in ms. */
export interface GateOptions extends GateNumbers {
  /**
   * The silence that ends the utterances of streams that linger (see `AudioCore.linger`), if it is longer than
   * `endSilence`. Absent: lingering changes nothing.
   */
  readonly longSilence?: number;
  /**
   * The longer an utterance is, the shorter the silence that ends it. Steps are ordered by rising duration of speech.
   * Without steps, the length of an utterance changes nothing.
   */
  readonly endSchedule?: readonly EndStep[];
  /**
   * Reports an open utterance after `silence` ms of silence, and for every `step` ms of new speech; see
   * `AudioCore.watch`. Absent: never.
   */
  readonly open?: { readonly silence: number; readonly step: number };
}

/** The amount of audio that a stream may send, measured by its duration. */
export interface AudioBudget {
  /** Seconds of audio per second on average. */
  readonly pace: number;
  /** Ms of audio that a stream may be ahead of `pace`, for example audio that a client stored while offline. */
  readonly backlog: number;
}

export interface CoreOptions {
  readonly gate: GateOptions;
  /** Maximum duration in ms of a stream's queued frames. Beyond it the oldest frames are dropped and a gap is marked. */
  readonly frameQueueDuration: number;
  /** A turn runs the detector when this many windows are ready, or earlier because of `turnDeadline`. */
  readonly turnWindows: number;
  /** A turn also runs the detector when the oldest window has waited this many ms. */
  readonly turnDeadline: number;
  /**
   * Budget of each stream; unlimited when absent. A frame over the budget is counted and never decoded. After a stream
   * has used up its backlog, its frames are refused until it may send 10 s of audio, or half of the backlog if that is
   * less. Refused audio becomes a gap.
   */
  readonly budget?: AudioBudget;
  /**
   * If true, streams skip Opus frames that are surely silent instead of decoding them; see `native/look`. Default:
   * false. The portable core always decodes all frames.
   */
  readonly rests?: boolean;
  /** Duration in ms of one piece of audio in `CoreEvent.audio`, 32 to 1000; `defaultAudioChunk` when absent. */
  readonly audioChunk?: number;
  /** Maximum number of streams that are open at once. */
  readonly maxStreams: number;
  /** The memory that frames are read from: the data area of the shard's ring. */
  readonly memory: Uint8Array;
  /** Instruction set of the native core, for tests and measurements. Default: the fastest one that this machine supports. */
  readonly isa?: string;
}

export interface CoreCapabilities {
  readonly name: 'native' | 'portable';
  readonly codecs: readonly Codec[];
  /** Whether `turn` and `flush` return all events at once. If false, a later `turn` returns some of the events; see `settle`. */
  readonly synchronous: boolean;
  /** Whether the core fills gaps by packet loss concealment (Opus PLC). If false, it only marks gaps. */
  readonly concealment: boolean;
  /** Instruction set of the detector: avx512, avx2, neon, scalar, onnxruntime. */
  readonly isa: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** The kinds of events that a turn reports. */
export const CoreEvent = {
  /** Speech has lasted the minimum duration. a: sample at which it began. Shorter speech is never reported. */
  speechStart: 1,
  /** Speech ended. a: sample at which it ended; b: mean probability of its windows, 0 if unknown. */
  speechEnd: 2,
  /**
   * An utterance is complete; `takeUtterance` returns it. a, b: first and last sample (exclusive); c: 1 if it was cut
   * at the maximum length. After a cut, speech continues without another `speechStart`, and the next utterance begins
   * at b.
   */
  utterance: 3,
  /** Frames since the last turn that could not be decoded. a: number of frames. */
  invalidFrames: 4,
  /**
   * Frames dropped by a full frame queue, refused by the budget, or lost before they reached the core. Consecutive
   * frames share one event. a: number of frames; b: samples of the gap at 16 kHz; c: sample at which the gap begins.
   */
  dropped: 5,
  /** Frames since the last turn that the budget refused. a: number of frames. */
  overBudget: 6,
  /**
   * A piece of audio of a stream that hands out audio; see `AudioCore.choose`. Field a is the position of its first
   * sample on the stream's clock. Field b is its offset in `AudioCore.audio`. Field c is the number of samples. Pieces
   * of a stream are in order and never overlap. If a piece begins later than the previous piece ended, the samples
   * between the two are silence.
   */
  audio: 7,
  /**
   * Speech continues on a stream that `watch` selected: `step` ms of new speech have come (`GateOptions.open`), or a
   * pause has begun. a, b: first and last sample (exclusive) of the open utterance; c: 1 in a pause. `openUtterance`
   * returns the audio.
   */
  open: 8,
} as const;
export type CoreEventKind = (typeof CoreEvent)[keyof typeof CoreEvent];

/** Number of uint32 fields of a frame in a batch: handle, offset, length, arrival. */
export const batchStride = 4;

/** Number of float64 fields of an event in the event array: handle, kind, a, b, c. */
export const eventStride = 5;

export interface Utterance {
  /**
   * Mono 16 kHz; the caller owns it. Includes up to 300 ms before the speech and up to 300 ms of the silence that ended
   * it. Both are shorter where the stream began, was cut or was flushed, because the core never invents audio.
   */
  readonly pcm: Int16Array;
  /**
   * Position of `pcm[0]` on the stream's clock, in samples at 16 kHz since the stream opened. Gaps in the audio are
   * included.
   */
  readonly start: number;
  /** Position behind the last sample of speech, before the trailing silence. */
  readonly speechEnd: number;
  readonly speechStart: number;
  readonly cut: boolean;
  /**
   * Mean speech probability of the detector from the onset of the speech to its last window, short silences included.
   * After a cut, the speech before the cut counts, too.
   */
  readonly probability: number;
}

export interface StreamStatus {
  /** Position on the stream's clock: number of decoded samples at 16 kHz, gaps included. */
  readonly position: number;
  /** Position up to which the detector has decided, and all events were returned. */
  readonly decided: number;
  /** Position of the first sample that may belong to an utterance that was not returned yet. At most `decided`. */
  readonly needed: number;
  /** Whether an utterance is open (speech has begun and not yet ended). */
  readonly speaking: boolean;
  /** Number of bytes that this stream occupies, without its bounded speech buffer. */
  readonly bytes: number;
  /** Number of bytes in the speech buffer: the open utterance, and completed utterances that were not yet taken. */
  readonly speechBytes: number;
  readonly framesDecoded: number;
  readonly framesInvalid: number;
  readonly framesDropped: number;
  /** Number of frames that the budget refused. */
  readonly framesOverBudget: number;
  /** Number of frames that were surely silent, and therefore not decoded. `framesDecoded` counts them, too. */
  readonly framesSkipped: number;
}

/**
 * The turn protocol: `push` copies the frames of one batch into a frame queue for each stream. `turn` decodes, detects
 * and gates the queued frames. Both are called once per batch, never once per frame.
 */
export interface AudioCore {
  readonly capabilities: CoreCapabilities;
  /** Events of the last turn: `eventStride` numbers for each event. Valid until the next turn. */
  readonly events: Float64Array;
  /**
   * The windows that the last `turn` or `flush` decided: their number, then one arrival time per window. The
   * arrival time is that of the frame that completed the window, as given to `push`. If a gap completed the
   * window, the arrival time is that of the first frame after the gap. Valid until the next call.
   */
  readonly decided: Uint32Array;
  /** Audio that the last `turn` or `flush` handed out, mono 16 kHz. The events give the offsets. Valid until the next call. */
  readonly audio: Int16Array;

  /**
   * Opens a stream.
   * @param handle slot number chosen by the caller, below `maxStreams`, not in use.
   * @throws CochleaError codec_unavailable, sample_rate_unsupported or channels_unsupported (each closes a stream with
   * 1003).
   */
  open(handle: number, format: StreamFormat): void;

  /**
   * Chooses which audio an open stream hands out from now on. A new stream hands out utterances.
   *
   * `everything`: all its audio, except the silence of long gaps. `gated`: from 300 ms before speech until 4 s after
   * it. Both choices replace utterances. The core still reports the start and end of speech. If the choice changes
   * during an utterance, the stream still hands out all audio of the utterance. Does nothing for an unknown handle.
   */
  choose(handle: number, need: AudioNeed): void;

  /**
   * Takes frames from `CoreOptions.memory`, or from another memory.
   * @param batch `batchStride` numbers for each frame, in order of arrival: handle, byte offset in that memory, byte
   * length, arrival time. The arrival time is used for `decided` only, in any 32-bit clock.
   * @param count number of frames.
   * @param now the thread's clock in ms (fractions allowed). Ages of windows and budgets are computed from it.
   * @param memory that contains these frames; default `CoreOptions.memory`. It is read before the method returns.
   */
  push(batch: Uint32Array, count: number, now: number, memory?: Uint8Array): void;

  /**
   * Reports frames of a stream that were lost before they reached the core, after the last pushed frame and before the
   * next. The lost frames become a gap, reported as `CoreEvent.dropped` when the next frame is decoded. A lost coded
   * frame counts with the duration of the next frame. `framesDropped` does not include lost frames. Does nothing for an
   * unknown handle.
   * @param bytes sum of the lengths of all lost frames
   */
  lose(handle: number, frames: number, bytes: number): void;

  /**
   * Decodes the pushed frames. When enough windows are ready, or the oldest has waited long enough, runs the detector
   * over all streams together. Then runs the gate on each result.
   * @param force run the detector on every complete window regardless of its age.
   * @returns number of events in `events`. If `events` or `decided` is full, the turn stops early; call it again.
   */
  turn(now: number, force: boolean): number;

  /** Returns the number of ms until a turn is due; 0 when a turn is due now, Infinity when no audio waits. */
  due(now: number): number;

  /** Returns the oldest completed utterance of a stream, or undefined. Call it after every turn, because a stream stores only a few. */
  takeUtterance(handle: number): Utterance | undefined;

  /**
   * Turns reports of open utterances (`CoreEvent.open`) on or off, for a stream that hands out utterances. Does nothing
   * for an unknown handle.
   */
  watch(handle: number, on: boolean): void;

  /**
   * Chooses whether the utterances of a stream end only after `GateOptions.longSilence`. The choice also applies to the
   * open utterance. A new stream does not linger. Does nothing for an unknown handle.
   */
  linger(handle: number, on: boolean): void;

  /** Returns a copy of a stream's open utterance; undefined unless `speechStart` was reported for that utterance. */
  openUtterance(handle: number): Utterance | undefined;

  /**
   * Decodes the remaining frames of a stream. Then ends the open utterance, if any, as if silence had followed.
   *
   * @returns number of events in `events`, as `turn` does. If `capabilities.synchronous` is false, later turns return
   * them.
   * This loop works for both cores, before `close(handle)`:
   *
   *   let count = core.flush(handle, now);
   *   for (;;) {
   *     visit(count);
   *     await core.settle();
   *     count = core.turn(now, false);
   *     if (count === 0) break;
   *   }
   */
  flush(handle: number, now: number): number;

  /**
   * Resolves when all work that earlier calls of `turn` and `flush` started is done. The next calls of `turn`
   * return the remaining events. Never rejects. The native core is always settled. The portable core's
   * detector is asynchronous: a `turn` starts a run over the ready windows, and a later `turn` returns its
   * events. Call it only to finish a stream. A loop that calls `turn` when `due` is 0 gets every event
   * without `settle`.
   */
  settle(): Promise<void>;

  /** Frees a stream. Does nothing for an unknown handle. */
  close(handle: number): void;

  status(handle: number): StreamStatus;

  /** Frees all memory. The core cannot be used afterwards. */
  destroy(): void;
}

/** Rates in Hz that libopus decodes. */
export const opusRates: readonly number[] = [8000, 12_000, 16_000, 24_000, 48_000];

/** LC3 rates in Hz. */
export const lc3Rates: readonly number[] = [8000, 16_000, 24_000, 32_000, 48_000];

/** Range of rates accepted for PCM, in Hz (inclusive). */
export const pcmRates = { minimum: 8000, maximum: 48_000 } as const;
