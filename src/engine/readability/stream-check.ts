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
 * Judges a sample where no stream waits for it.
 * @param sample its bytes are given away.
 * @returns undefined when it cannot be done: too many wait, or the engine ends. Never rejects.
 */
export type CheckSample = (user: string, sample: FrameSample) => Promise<Verdict | undefined>;

/** Bytes of samples in the memory of a shard. */
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
  /** What the core did with the stream so far. */
  readonly status: () => Pick<StreamStatus, 'framesDecoded' | 'framesInvalid'>;
  /** The stream is not what was declared. */
  readonly unreadable: (finding: Finding) => void;
  readonly metrics: Pick<MetricsRow, 'add'>;
}

/** Ms of frames that a sample covers. */
const sampleTime = 2000;
/** Samples of a stream that are judged until it is left alone, and how many of them follow one another at once. */
const mostSamples = 8;
const samplesAtOnce = 3;
/** Ms until a later one begins; each time twice as long. */
const firstPause = 4000;
/** Ms over which frames are counted in a stream that was judged. */
const watchTime = 2000;
const fewestWatched = 20;
/** Share of its length before from which on a frame of PCM is much shorter, and how often that is looked at. */
const muchShorter = 0.5;
const mostChanges = 3;
/** Share of the frames that do not decode from which on a stream that was right is looked at again. */
const mostInvalid = 0.5;

/** `sampling`: frames are copied; `judging`: a sample is with the pool; `resting`: for `#pause` ms; `watching`: only counts are compared. */
type State = 'sampling' | 'judging' | 'resting' | 'watching';

/**
 * Looks whether the first audio of a stream is what it was opened with, and again where so many frames do not decode later that it may have
 * become something else. After its first seconds a right stream costs nothing but two counts a tick. On the shard's thread only.
 */
export class StreamCheck {
  readonly #options: StreamCheckOptions;
  #state: State = 'sampling';
  #sampler: FrameSampler | null = null;
  /** Ring clock of the first frame of the sample. */
  #began = 0;
  /** Counts of the core when it began, or when watching did. */
  #counted = { decoded: 0, invalid: 0 };
  #held = 0;
  /** Whether a frame has come, and whether the sample has the first of them. */
  #started = false;
  #first = false;
  /** Whether every message so far, and every one before the sample, had whole samples of PCM. */
  #whole = true;
  #aligned = true;
  #samples = 0;
  #pause = firstPause;
  #restSince = 0;
  #watchedSince = 0;
  /** Most frames have decoded since the last sample: when they stop doing so, that is news. */
  #sound = false;
  #closed = false;
  /** Whether it is PCM, of which every frame decodes. */
  readonly #isRaw: boolean;
  /** Frames, and their bytes, since watching began. */
  #came = { frames: 0, bytes: 0 };
  /** Bytes of a frame of PCM as it came before; 0 where that is not known. */
  #length = 0;
  /** How often frames of PCM became much shorter. */
  #changes = 0;

  constructor(options: StreamCheckOptions) {
    this.#options = options;
    this.#isRaw = sampleBytesOf(options.format) > 0;
  }

  /**
   * Takes a frame that came; called for every frame, so it does nothing when no sample is taken.
   * @param data holds the frame; only read.
   * @param arrival ring clock.
   */
  add(data: Uint8Array, offset: number, length: number, arrival: number): void {
    const whole = this.#whole;
    if (length % 2 === 1) this.#whole = false;
    this.#came.frames++;
    this.#came.bytes += length;
    if (this.#state !== 'sampling') return;
    // Samples that are nothing yet say nothing of the form of those that follow, and hide it.
    if (this.#isRaw && this.#sampler === null && isBlank(data, offset, length)) {
      this.#started = true;
      return;
    }
    const sampler = this.#sampler ?? this.#begin(arrival, whole);
    if (sampler === null) return;
    const age = ringAge(this.#began, arrival);
    sampler.add(data.subarray(offset, offset + length), age);
    this.#account(sampler.held);
    if (this.#options.memory.bytes > fixedLimits.audioSamples.value) this.#rest(arrival);
    else if (age >= sampleTime || sampler.full) this.#judge(arrival);
  }

  /** Called every tick. @param now ring clock. */
  look(now: number): void {
    if (this.#closed) return;
    if (this.#state === 'sampling') {
      if (this.#sampler !== null && ringAge(this.#began, now) >= sampleTime) this.#judge(now);
    } else if (this.#state === 'resting') {
      if (ringAge(this.#restSince, now) >= this.#pause) this.#state = 'sampling';
    } else if (this.#state === 'watching') this.#watch(now);
  }

  /** Frees the copy; what comes from the pool later counts for nothing. */
  close(): void {
    this.#closed = true;
    this.#state = 'watching';
    this.#drop();
  }

  #begin(arrival: number, aligned: boolean): FrameSampler | null {
    this.#aligned = aligned;
    this.#first = !this.#started;
    this.#started = true;
    if (this.#options.memory.bytes >= fixedLimits.audioSamples.value) {
      this.#rest(arrival);
      return null;
    }
    this.#sampler = new FrameSampler(this.#options.format);
    this.#began = arrival;
    this.#counted = this.#counts();
    return this.#sampler;
  }

  #judge(now: number): void {
    const { check, format, metrics, user } = this.#options;
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
      this.#options.metrics.add('audio_samples_skipped_total');
      this.#rest(now);
    } else if (verdict === 'undecided') this.#again(now);
    else {
      this.#startWatching(now);
      if (verdict !== 'right') this.#options.unreadable(verdict);
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

  /** Begins a new sample where most frames decoded and do not any more, or frames of PCM are much shorter than before, as coded ones are. */
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
    const { framesDecoded, framesInvalid } = this.#options.status();
    return { decoded: framesDecoded, invalid: framesInvalid };
  }

  #drop(): void {
    this.#sampler = null;
    this.#account(0);
  }

  #account(held: number): void {
    this.#options.memory.bytes += held - this.#held;
    this.#held = held;
  }
}
