import type { StreamStatus } from '../../audio/interface/index.js';
import { sampleBytesOf } from '../../audio/readability/forms/index.js';
import {
  type Finding,
  type FrameSample,
  FrameSampler,
  isBlank,
  looksRight,
  type Verdict,
} from '../../audio/readability/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { ringAge } from '../../ring/index.js';
import type { StreamFormat } from '../../wire/index.js';

/**
 * Judges a sample, a copy of consecutive frames, on a separate thread, so that no stream is delayed.
 * @param sample its bytes are transferred, so the caller cannot use them afterwards.
 * @returns undefined if the queue is full or the engine is stopping. Never rejects.
 */
export type CheckSample = (user: string, sample: FrameSample) => Promise<Verdict | undefined>;

/** Counts the bytes of all samples (copied frames) in a shard. */
export class SampleMemory {
  bytes = 0;
}

export interface StreamCheckContext {
  readonly check: CheckSample;
  readonly memory: SampleMemory;
}

export interface StreamCheckOptions extends StreamCheckContext {
  readonly user: string;
  readonly format: StreamFormat;
  /** Returns the core's counts for the stream so far. */
  readonly status: () => Pick<StreamStatus, 'framesDecoded' | 'framesInvalid'>;
  /** Called when a sample does not match the declared format. */
  readonly unreadable: (finding: Finding) => void;
  readonly metrics: Pick<MetricsRow, 'add'>;
}

/** Time in ms during which the frames of a sample (`FrameSample`) are collected. */
const sampleTime = 2000;
/** Maximum number of samples of a stream that are judged. */
const mostSamples = 8;
/** Number of samples that are taken without a pause between them. */
const samplesAtOnce = 3;
/** Length in ms of the first pause between samples. Each later pause is twice as long. */
const firstPause = 4000;
/** Length in ms of a period in which the frames of a watched stream are counted. */
const watchTime = 2000;
/** Minimum number of frames within `watchTime` that are needed for a decision. */
const fewestWatched = 20;
/**
 * Ratio of the mean length of PCM frames to their earlier mean length. Below this ratio the client may have switched to
 * coded audio.
 */
const muchShorter = 0.5;
/** Maximum number of times that shorter PCM frames start a new sample. */
const mostChanges = 3;
/** Share of invalid frames above which a stream that had decoded well is sampled again. */
const mostInvalid = 0.5;

/**
 * `sampling` copies frames. `judging` waits for the pool. `resting` pauses for `#pause` ms. `watching` only
 * compares counts.
 */
type State = 'sampling' | 'judging' | 'resting' | 'watching';

/**
 * Checks whether the first audio of a stream matches its declared format. It checks again when many frames fail to
 * decode later, because the format may have changed. After the first seconds, a valid stream costs only a
 * comparison of two counts per tick. Use it on the shard's thread only.
 */
export class StreamCheck {
  #state: State = 'sampling';
  #sampler: FrameSampler | null = null;
  /** Arrival of the sample's first frame, on the ring clock. */
  #began = 0;
  /** The core's counts when the sample or the watched period began. */
  #counted = { decoded: 0, invalid: 0 };
  #held = 0;
  /** Whether a frame has arrived. */
  #started = false;
  /** Whether the sample contains the first frame of the stream. */
  #first = false;
  /** Whether every message so far had an even length. Messages of 16-bit PCM always have an even length. */
  #whole = true;
  /** Whether every message before the sample had an even length. */
  #aligned = true;
  #samples = 0;
  #pause = firstPause;
  #restSince = 0;
  #watchedSince = 0;
  /** Whether most frames decoded in the last watched period. A change from true to false starts a new sample. */
  #sound = false;
  #closed = false;
  /** Whether the declared codec is PCM. PCM frames always decode, so their lengths are checked instead. */
  readonly #isRaw: boolean;
  /** Number of frames and bytes since the watched period began. */
  #came = { frames: 0, bytes: 0 };
  /** Mean length in bytes of a PCM frame in the last watched period; 0 if unknown. */
  #length = 0;
  /** Number of times that PCM frames became much shorter. */
  #changes = 0;

  constructor(private readonly options: StreamCheckOptions) {
    this.#isRaw = sampleBytesOf(options.format) > 0;
  }

  /**
   * Adds a frame to the sample, if one is being taken. Called for every frame, so outside of a sample it only
   * counts.
   * @param data contains the frame and is only read.
   * @param arrival ring clock.
   */
  add(data: Uint8Array, offset: number, length: number, arrival: number): void {
    const whole = this.#whole;
    if (length % 2 === 1) this.#whole = false;
    this.#came.frames++;
    this.#came.bytes += length;
    if (this.#state !== 'sampling') return;
    // Silence at the start says nothing about the format of later audio, so it must not fill the sample.
    if (this.#isRaw && this.#sampler === null && isBlank(data, offset, length)) {
      this.#started = true;
      return;
    }
    const sampler = this.#sampler ?? this.#begin(arrival, whole);
    if (sampler === null) return;
    const age = ringAge(this.#began, arrival);
    sampler.add(data.subarray(offset, offset + length), age);
    this.#account(sampler.held);
    if (this.options.memory.bytes > fixedLimits.audioSamples.value) this.#rest(arrival);
    else if (age >= sampleTime || sampler.full) this.#judge(arrival);
  }

  /** Judges a complete sample, ends a pause, or compares counts. Called every tick. @param now ring clock. */
  look(now: number): void {
    if (this.#closed) return;
    if (this.#state === 'sampling') {
      if (this.#sampler !== null && ringAge(this.#began, now) >= sampleTime) this.#judge(now);
    } else if (this.#state === 'resting') {
      if (ringAge(this.#restSince, now) >= this.#pause) this.#state = 'sampling';
    } else if (this.#state === 'watching') this.#watch(now);
  }

  /** Frees the copied frames. A verdict that arrives later is ignored. */
  close(): void {
    this.#closed = true;
    this.#state = 'watching';
    this.#drop();
  }

  #begin(arrival: number, aligned: boolean): FrameSampler | null {
    this.#aligned = aligned;
    this.#first = !this.#started;
    this.#started = true;
    if (this.options.memory.bytes >= fixedLimits.audioSamples.value) {
      this.#rest(arrival);
      return null;
    }
    this.#sampler = new FrameSampler(this.options.format);
    this.#began = arrival;
    this.#counted = this.#counts();
    return this.#sampler;
  }

  #judge(now: number): void {
    const { check, format, metrics, user } = this.options;
    const about = { format, first: this.#first, aligned: this.#aligned, decodes: this.#decodes() };
    const sample = this.#sampler!.sample(about);
    this.#drop();
    this.#samples++;
    if (looksRight(sample)) {
      this.#startWatching(now);
      return;
    }
    this.#state = 'judging';
    metrics.add('audio_samples_judged_total');
    void check(user, sample).then((verdict) => this.#judged(verdict, now));
  }

  #judged(verdict: Verdict | undefined, now: number): void {
    if (this.#closed) return;
    if (verdict === undefined) {
      this.options.metrics.add('audio_samples_skipped_total');
      this.#rest(now);
    } else if (verdict === 'undecided') this.#again(now);
    else {
      this.#startWatching(now);
      if (verdict !== 'right') this.options.unreadable(verdict);
    }
  }

  #again(now: number): void {
    if (this.#samples >= mostSamples) this.#startWatching(now);
    else if (this.#samples < samplesAtOnce) this.#state = 'sampling';
    else this.#rest(now);
  }

  #rest(now: number): void {
    this.#drop();
    this.#state = 'resting';
    this.#restSince = now;
    this.#pause = this.#samples <= samplesAtOnce ? firstPause : 2 * this.#pause;
  }

  #startWatching(now: number): void {
    this.#state = 'watching';
    this.#watchedSince = now;
    this.#counted = this.#counts();
    this.#came = { frames: 0, bytes: 0 };
  }

  /** Starts a new sample when most frames stop decoding, or when PCM frames become as short as coded frames. */
  #watch(now: number): void {
    if (ringAge(this.#watchedSince, now) < watchTime) return;
    if (this.#isRaw) {
      this.#watchLengths(now);
      return;
    }
    const before = this.#counted;
    const counts = this.#counts();
    this.#watchedSince = now;
    this.#counted = counts;
    const invalid = counts.invalid - before.invalid;
    const frames = invalid + counts.decoded - before.decoded;
    if (frames < fewestWatched) return;
    const sound = invalid < mostInvalid * frames;
    if (!sound && this.#sound) {
      this.#samples = 1;
      this.#state = 'sampling';
    }
    this.#sound = sound;
  }

  #watchLengths(now: number): void {
    const { frames, bytes } = this.#came;
    this.#startWatching(now);
    if (frames < fewestWatched) return;
    const before = this.#length;
    this.#length = bytes / frames;
    if (this.#length >= muchShorter * before || this.#changes >= mostChanges) return;
    this.#changes++;
    this.#samples = 1;
    this.#state = 'sampling';
  }

  #decodes(): number {
    if (this.#isRaw) return 1;
    const { decoded, invalid } = this.#counts();
    const frames = decoded + invalid - this.#counted.decoded - this.#counted.invalid;
    return frames === 0 ? 0 : (decoded - this.#counted.decoded) / frames;
  }

  #counts(): { readonly decoded: number; readonly invalid: number } {
    const { framesDecoded, framesInvalid } = this.options.status();
    return { decoded: framesDecoded, invalid: framesInvalid };
  }

  #drop(): void {
    this.#sampler = null;
    this.#account(0);
  }

  #account(held: number): void {
    this.options.memory.bytes += held - this.#held;
    this.#held = held;
  }
}
