import type { EndStep } from '../../config/settings/index.js';
import type { AudioNeed, Codec, GateNumbers, StreamFormat } from '../../wire/index.js';

/**
 * The audio core as the engine sees it. Two implementations stand behind it: the native addon (`native/`) and the
 * portable core (WASM Opus, JavaScript, onnxruntime). One conformance suite runs against both.
 *
 * A core belongs to one thread. It decodes, resamples, detects speech and gates; it knows nothing of
 * sessions, users or sockets. Streams are numbered by the caller: a stream's handle is its slot on the shard.
 */

/** Rate of the clock of a stream, and at which utterances are handed out. PCM and LC3 of 8 kHz are detected at 8 kHz, all else at this. */
export const coreRate = 16_000;
/** Samples of this clock that one detector window lasts: 32 ms. */
export const windowSamples = 512;
/** Ms of a piece of audio that is handed out, unless `CoreOptions.audioChunk` says otherwise. */
export const defaultAudioChunk = 100;

/** Values of the gate; every duration in ms. */
export interface GateOptions extends GateNumbers {
  /** Less silence ends an utterance the longer it is; the steps begin with the shortest speech. Without any, `endSilence` ends all. */
  readonly endSchedule?: readonly EndStep[];
  /** An open utterance is told of after `silence` ms, and for every `step` ms of new speech; see `AudioCore.watch`. Absent: never. */
  readonly open?: { readonly silence: number; readonly step: number };
}

/** How much audio a stream may send, by how long it lasts. */
export interface AudioBudget {
  /** Seconds of audio a second in the long run. */
  readonly pace: number;
  /** Ms of audio it may be ahead of that: what a client may have kept while it was away. */
  readonly backlog: number;
}

export interface CoreOptions {
  readonly gate: GateOptions;
  /** Undecoded audio kept for a stream, in ms; over it the oldest frames are dropped and a gap is marked. */
  readonly frameQueueDuration: number;
  /** A turn runs the detector when this many windows are ready ... */
  readonly turnWindows: number;
  /** ... or the oldest is this old, in ms. */
  readonly turnDeadline: number;
  /**
   * Of each stream; without one, any amount. A frame over it is counted and never decoded; a stream that has used its
   * backlog up is decoded again once 10 s of it are earned (half of it, if that is less), and what was refused is a gap.
   */
  readonly budget?: AudioBudget;
  /** Ms of a piece of audio that is handed out (`CoreEvent.audio`), 32 to 1000; `defaultAudioChunk` when absent. */
  readonly audioChunk?: number;
  /** Most streams this core will hold. */
  readonly maxStreams: number;
  /** The memory frames are read from: the data area of the shard's ring. */
  readonly memory: Uint8Array;
  /** Instruction set forced on the native core, for tests and measurements; without it the best of this machine. */
  readonly isa?: string;
}

export interface CoreCapabilities {
  readonly name: 'native' | 'portable';
  readonly codecs: readonly Codec[];
  /** Whether `turn` and `flush` return all events at once; otherwise some follow in a later `turn`, see `settle`. */
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
  /** Speech ended. a: sample at which it ended; b: mean probability of its windows, 0 where it is not known. */
  speechEnd: 2,
  /**
   * An utterance is complete: fetch it with `takeUtterance`. a, b: first and last sample (exclusive); c: 1 if cut by the
   * maximum: speech then goes on without another `speechStart`, and the next utterance begins at b.
   */
  utterance: 3,
  /** Frames that did not decode, since the last turn. a: how many. */
  invalidFrames: 4,
  /** Frames dropped by a full frame queue, refused by the budget, or lost before they came here (one event for a burst). a: how many frames, b: samples of the gap at 16 kHz, c: sample at which it lies. */
  dropped: 5,
  /** Frames refused by the budget, since the last turn. a: how many. */
  overBudget: 6,
  /**
   * A piece of audio, of a stream for which `choose` asked for it. a: position of its first sample on the stream's clock;
   * b: where it begins in `AudioCore.audio`; c: how many samples. Pieces of a stream come in order and never overlap; where
   * one does not begin at the end of the one before it, what lies between is silence.
   */
  audio: 7,
  /**
   * Speech goes on, of a stream for which `watch` asked: there is a second more of it (`GateOptions.open`), or it pauses. a, b: first and last
   * sample (exclusive) of the open utterance; c: 1 if it pauses. `openUtterance` has it.
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
   * Mono 16 kHz; the caller owns it. Includes pre-roll and the silence that ended it, up to 300 ms each side: less where
   * the stream began, was cut or was flushed, for nothing is made up.
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
  /** Bytes this stream holds, without its bounded speech buffer. */
  readonly bytes: number;
  /** Bytes of that buffer: the open utterance, and utterances that were not taken yet. */
  readonly speechBytes: number;
  readonly framesDecoded: number;
  readonly framesInvalid: number;
  readonly framesDropped: number;
  /** Refused by the budget. */
  readonly framesOverBudget: number;
}

/**
 * The turn protocol: `push` hands over the frames of one batch (copied into per-stream frame queues before it returns), `turn`
 * decodes, detects and gates what is there. Both are called once a batch, never once a frame.
 */
export interface AudioCore {
  readonly capabilities: CoreCapabilities;
  /** Events of the last turn: `eventStride` numbers each. Valid until the next turn. */
  readonly events: Float64Array;
  /**
   * The windows that the last `turn` or `flush` decided: how many, then for each the arrival, as `push` was given it, of
   * the frame that completed it; of a window that a gap completed, that of the frame behind the gap. Valid until the next.
   */
  readonly decided: Uint32Array;
  /** Audio that the last `turn` or `flush` handed out, mono 16 kHz; its events say where. Valid until the next. */
  readonly audio: Int16Array;

  /**
   * Opens a stream.
   * @param handle slot number chosen by the caller, below `maxStreams`, not in use.
   * @throws CochleaError codec_unavailable, sample_rate_unsupported or channels_unsupported (all close 1003).
   */
  open(handle: number, format: StreamFormat): void;

  /**
   * Chooses what an open stream hands out from here on; a new stream hands out utterances.
   *
   * `everything`: all its audio, without the silence that long gaps are skipped by. `gated`: from the pre-roll before speech
   * until 4 s after it. Both instead of utterances; the beginning and the end of speech are told all the same. An utterance
   * that is open when this changes is handed out as far as its audio was not handed out before. Harmless for an unknown handle.
   */
  choose(handle: number, need: AudioNeed): void;

  /**
   * Takes frames from `CoreOptions.memory`, or from another.
   * @param batch of each frame `batchStride` numbers: handle, byte offset in that memory, byte length, arrival; in the
   * order they came. The arrival is for `decided` only: any 32-bit clock.
   * @param count how many frames.
   * @param now the thread's clock in ms (fractions allowed); age of windows is counted from here, and budgets are earned.
   * @param memory where these frames lie, if not there; read before this returns.
   */
  push(batch: Uint32Array, count: number, now: number, memory?: Uint8Array): void;

  /**
   * Tells that frames of a stream were lost on their way here, between the last that was pushed and the next: they are a gap, and
   * are reported as `CoreEvent.dropped` when that one is decoded. Coded ones are taken to have lasted as long as it. Not counted in
   * `framesDropped`. Harmless for an unknown handle.
   * @param bytes of all of them together
   */
  lose(handle: number, frames: number, bytes: number): void;

  /**
   * Decodes what was pushed and, when enough windows are ready or the oldest is old enough, runs the detector over
   * all streams together and the gate on each result.
   * @param force run the detector on every complete window whatever its age.
   * @returns how many events lie in `events`. When that or `decided` is full the turn stops early; call again.
   */
  turn(now: number, force: boolean): number;

  /** Ms until a turn is due, 0 when one is due now, Infinity when nothing waits. */
  due(now: number): number;

  /** The oldest completed utterance of a stream, or undefined. A stream holds at most a few; take them every turn. */
  takeUtterance(handle: number): Utterance | undefined;

  /** Has the open utterances of a stream told of (`CoreEvent.open`), or not, while it hands out utterances. Harmless for an unknown handle. */
  watch(handle: number, on: boolean): void;

  /** A copy of a stream's open utterance so far; undefined while no speech is open that was announced. */
  openUtterance(handle: number): Utterance | undefined;

  /**
   * Ends the open utterance of a stream, if any, as if silence had followed; decodes what is left first.
   *
   * @returns how many events lie in `events`, as `turn` does. Where `capabilities.synchronous` is false they come
   * later. What works for both cores, before `close(handle)`:
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
   * Resolves when everything earlier calls of `turn` and `flush` started has been worked out; events not yet returned
   * are returned by the next calls of `turn`. Never rejects. The native core is always settled; the detector of the
   * portable core is asynchronous, so a `turn` there starts a run over the ready windows and a later `turn` returns
   * its events. Only finishing a stream needs this: a loop that calls `turn` when `due` is 0 gets every event.
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
