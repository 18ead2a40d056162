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
 * kHz, which it reads at 8 kHz.
 */
export const coreRate = 16_000;
/** Samples of the stream's clock in one detector window: 32 ms. */
export const windowSamples = 512;
/** Default of `CoreOptions.audioChunk`, in ms. */
export const defaultAudioChunk = 100;

/** Settings of the gate; every duration in ms. */
export interface GateOptions extends GateNumbers {
  /**
   * The longer an utterance is, the shorter the silence that ends it. Steps are ordered from the shortest speech on.
   * Without steps `endSilence` always applies.
   */
  readonly endSchedule?: readonly EndStep[];
  /** Reports an open utterance after `silence` ms, and for every `step` ms of new speech; see `AudioCore.watch`. Absent: never. */
  readonly open?: { readonly silence: number; readonly step: number };
}

/** How much audio a stream may send, measured by its duration. */
export interface AudioBudget {
  /** Seconds of audio per second in the long run. */
  readonly pace: number;
  /** Ms of audio that a stream may be ahead of `pace`, such as audio that a client kept while offline. */
  readonly backlog: number;
}

export interface CoreOptions {
  readonly gate: GateOptions;
  /** Undecoded audio kept for a stream, in ms. Beyond it the oldest frames are dropped and a gap is marked. */
  readonly frameQueueDuration: number;
  /** A turn runs the detector when this many windows are ready ... */
  readonly turnWindows: number;
  /** ... or the oldest is this old, in ms. */
  readonly turnDeadline: number;
  /**
   * Budget of each stream; unlimited when absent. A frame over the budget is counted and never decoded. A stream that
   * used up its backlog is decoded again once 10 s of it are earned (half of it, if that is less). Refused audio
   * becomes a gap.
   */
  readonly budget?: AudioBudget;
  /** Ms of one piece of audio in `CoreEvent.audio`, 32 to 1000; `defaultAudioChunk` when absent. */
  readonly audioChunk?: number;
  /** Most streams open at once. */
  readonly maxStreams: number;
  /** The memory that frames are read from: the data area of the shard's ring. */
  readonly memory: Uint8Array;
  /** Instruction set of the native core, for tests and measurements. Default: the best of this machine. */
  readonly isa?: string;
}

export interface CoreCapabilities {
  readonly name: 'native' | 'portable';
  readonly codecs: readonly Codec[];
  /** Whether `turn` and `flush` return all events at once. Otherwise some follow in a later `turn`; see `settle`. */
  readonly synchronous: boolean;
  /** Whether gaps are concealed (Opus PLC), not only marked. */
  readonly concealment: boolean;
  /** Instruction set of the detector: avx512, avx2, neon, scalar, onnxruntime. */
  readonly isa: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Kinds of event a turn reports. */
export const CoreEvent = {
  /** Speech has lasted the minimum. a: sample of its onset. Shorter speech is never reported. */
  speechStart: 1,
  /** Speech ended. a: sample at which it ended; b: mean probability of its windows, 0 if unknown. */
  speechEnd: 2,
  /**
   * An utterance is complete; `takeUtterance` returns it. a, b: first and last sample (exclusive); c: 1 if it was cut
   * at the maximum length. After a cut, speech continues without another `speechStart`, and the next utterance begins
   * at b.
   */
  utterance: 3,
  /** Frames that did not decode, since the last turn. a: how many. */
  invalidFrames: 4,
  /**
   * Frames dropped by a full frame queue, refused by the budget, or lost before they reached the core. One event for a
   * burst. a: how many frames; b: samples of the gap at 16 kHz; c: sample at which the gap begins.
   */
  dropped: 5,
  /** Frames refused by the budget, since the last turn. a: how many. */
  overBudget: 6,
  /**
   * A piece of audio of a stream that `choose` selected for it. Field a is the position of its first sample on the
   * stream's clock. Field b is its offset in `AudioCore.audio`. Field c is the number of samples. Pieces of a stream
   * come in order and never overlap. If a piece begins later than the end of the previous one, the samples between are
   * silence.
   */
  audio: 7,
  /**
   * Speech continues on a stream that `watch` selected: `step` ms of it are new (`GateOptions.open`), or it pauses. a,
   * b: first and last sample (exclusive) of the open utterance; c: 1 if it pauses. `openUtterance` returns the audio.
   */
  open: 8,
} as const;
export type CoreEventKind = (typeof CoreEvent)[keyof typeof CoreEvent];

/** Uint32 fields of a frame in a batch: handle, offset, length, arrival. */
export const batchStride = 4;

/** Float64 fields of an event in the event array: handle, kind, a, b, c. */
export const eventStride = 5;

export interface Utterance {
  /**
   * Mono 16 kHz; the caller owns it. Includes up to 300 ms of pre-roll and up to 300 ms of the silence that ended it.
   * Both are shorter where the stream began, was cut or was flushed, because no audio is invented.
   */
  readonly pcm: Int16Array;
  /** Position of `pcm[0]` on the stream's clock, in samples at 16 kHz since the stream opened; gaps count. */
  readonly start: number;
  /** Position after the last sample of speech (without trailing silence). */
  readonly speechEnd: number;
  readonly speechStart: number;
  readonly cut: boolean;
}

export interface StreamStatus {
  /** Stream clock, samples at 16 kHz decoded so far (gaps included). */
  readonly position: number;
  /** Whether an utterance is open (speech has begun and not yet ended). */
  readonly speaking: boolean;
  /** Bytes that this stream occupies, without its bounded speech buffer. */
  readonly bytes: number;
  /** Bytes of the speech buffer: the open utterance, and completed utterances that were not yet taken. */
  readonly speechBytes: number;
  readonly framesDecoded: number;
  readonly framesInvalid: number;
  readonly framesDropped: number;
  /** Frames refused by the budget. */
  readonly framesOverBudget: number;
}

/**
 * The turn protocol: `push` copies the frames of one batch into per-stream frame queues. `turn` decodes, detects and
 * gates the queued frames. Both are called once a batch, never once a frame.
 */
export interface AudioCore {
  readonly capabilities: CoreCapabilities;
  /** Events of the last turn: `eventStride` numbers each. Valid until the next turn. */
  readonly events: Float64Array;
  /**
   * The windows that the last `turn` or `flush` decided: their number, then an arrival time for each. That is the
   * arrival, as given to `push`, of the frame that completed the window. For a window completed by a gap it is the
   * arrival of the frame behind the gap. Valid until the next call.
   */
  readonly decided: Uint32Array;
  /** Audio that the last `turn` or `flush` handed out, mono 16 kHz. Its events give the offsets. Valid until the next call. */
  readonly audio: Int16Array;

  /**
   * Opens a stream.
   * @param handle slot number chosen by the caller, below `maxStreams`, not in use.
   * @throws CochleaError codec_unavailable, sample_rate_unsupported or channels_unsupported (all close 1003).
   */
  open(handle: number, format: StreamFormat): void;

  /**
   * Chooses which audio an open stream hands out from now on. A new stream hands out utterances.
   *
   * `everything`: all its audio, except the silence of long gaps. `gated`: from the pre-roll before speech until 4 s
   * after it. Both replace utterances. Begin and end of speech are still reported. When the choice changes during an
   * utterance, the audio of it that was not handed out yet is handed out. Harmless for an unknown handle.
   */
  choose(handle: number, need: AudioNeed): void;

  /**
   * Takes frames from `CoreOptions.memory`, or from another memory.
   * @param batch `batchStride` numbers for each frame: handle, byte offset in that memory, byte length, arrival; in
   * order of arrival. The arrival is for `decided` only: any 32-bit clock.
   * @param count how many frames.
   * @param now the thread's clock in ms (fractions allowed). The age of windows and the budgets count from it.
   * @param memory that contains these frames; default `CoreOptions.memory`. Read before this returns.
   */
  push(batch: Uint32Array, count: number, now: number, memory?: Uint8Array): void;

  /**
   * Reports frames of a stream that were lost on their way here, after the last pushed frame and before the next one.
   * They become a gap, reported as `CoreEvent.dropped` when the next frame is decoded. A lost coded frame counts as
   * long as the next frame. Not counted in `framesDropped`. Harmless for an unknown handle.
   * @param bytes of all lost frames together
   */
  lose(handle: number, frames: number, bytes: number): void;

  /**
   * Decodes the pushed frames. When enough windows are ready or the oldest is old enough, runs the detector over all
   * streams together and the gate on each result.
   * @param force run the detector on every complete window whatever its age.
   * @returns how many events are in `events`. When `events` or `decided` is full the turn stops early; call again.
   */
  turn(now: number, force: boolean): number;

  /** Ms until a turn is due; 0 when one is due now, Infinity when no audio waits. */
  due(now: number): number;

  /** The oldest completed utterance of a stream, or undefined. A stream holds at most a few; take them every turn. */
  takeUtterance(handle: number): Utterance | undefined;

  /**
   * Turns reports of open utterances (`CoreEvent.open`) on or off, for a stream that hands out utterances. Harmless for
   * an unknown handle.
   */
  watch(handle: number, on: boolean): void;

  /** A copy of a stream's open utterance so far; undefined unless `speechStart` was reported for it. */
  openUtterance(handle: number): Utterance | undefined;

  /**
   * Ends the open utterance of a stream, if any, as if silence had followed. Decodes the remaining frames first.
   *
   * @returns how many events are in `events`, as `turn` does. If `capabilities.synchronous` is false they come later.
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
   * Resolves when all work that earlier calls of `turn` and `flush` started is done. The next calls of `turn` return
   * the remaining events. Never rejects. The native core is always settled. The portable core's detector is
   * asynchronous: a `turn` starts a run over the ready windows, and a later `turn` returns its events. Only finishing a
   * stream needs this: a loop that calls `turn` when `due` is 0 gets every event.
   */
  settle(): Promise<void>;

  /** Frees a stream. Harmless for an unknown handle. */
  close(handle: number): void;

  status(handle: number): StreamStatus;

  /** Frees everything. The core cannot be used afterwards. */
  destroy(): void;
}

/** Opus rates that libopus decodes. */
export const opusRates: readonly number[] = [8000, 12_000, 16_000, 24_000, 48_000];

/** LC3 rates in Hz. */
export const lc3Rates: readonly number[] = [8000, 16_000, 24_000, 32_000, 48_000];

/** Rates accepted for PCM, in Hz (inclusive). */
export const pcmRates = { minimum: 8000, maximum: 48_000 } as const;
