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
 * Judges a sample on a thread that delays no stream.
 * @param sample its bytes are transferred: the caller loses them.
 * @returns undefined if the queue is full or the engine is stopping. Never rejects.
 */
export type CheckSample = (user: string, sample: FrameSample) => Promise<Verdict | undefined>;

/** Counts the bytes of samples that a shard holds. */
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
  /** The core's counts for the stream so far. */
  readonly status: () => Pick<StreamStatus, 'framesDecoded' | 'framesInvalid'>;
  /** Called when the stream does not match its declared format. */
  readonly unreadable: (finding: Finding) => void;
  readonly metrics: Pick<MetricsRow, 'add'>;
}

/** Ms of frames that a sample covers. */
const sampleTime = 2000;
/** Most samples of a stream that are judged. */
const mostSamples = 8;
/** Samples that follow one another without a pause. */
const samplesAtOnce = 3;
/** Ms before the next sample. Each later pause is twice as long. */
const firstPause = 4000;
/** Ms over which the frames of a judged stream are counted. */
const watchTime = 2000;
/** Fewest frames in that time that allow a decision. */
const fewestWatched = 20;
/** PCM frames below this share of their earlier length are much shorter: the client may send coded audio. */
const muchShorter = 0.5;
/** Most times that shorter PCM frames start a new sample. */
const mostChanges = 3;
/** If the share of invalid frames rises above this, a stream that decoded well is sampled again. */
const mostInvalid = 0.5;

/** `sampling` copies frames; `judging` waits for the pool; `resting` pauses for `#pause` ms; `watching` only compares counts. */
type State = 'sampling' | 'judging' | 'resting' | 'watching';

/**
 * Checks whether the first audio of a stream matches its declared format. It checks again when many frames fail to decode later,
 * because the format may have changed. After the first seconds a valid stream only costs two counts per tick. Use it on the
 * shard's thread only.
 */
export class StreamCheck {
  #state: State = 'sampling';
  #sampler: FrameSampler | null = null;
  /** Ring clock of the first frame of the sample. */
  #began = 0;
  /** The core's counts when the sample began, or when watching began. */
  #counted = { decoded: 0, invalid: 0 };
  #held = 0;
  /** Whether a frame has arrived. */
  #started = false;
  /** Whether the sample contains the first frame of the stream. */
  #first = false;
  /** Whether every message so far had an even length, as 16-bit PCM has. */
  #whole = true;
  /** The same for all messages before the sample. */
  #aligned = true;
  #samples = 0;
  #pause = firstPause;
  #restSince = 0;
  #watchedSince = 0;
  /** Whether most frames decoded in the last watched period. Only a change to false starts a new sample. */
  #sound = false;
  #closed = false;
  /** Whether the stream is declared as PCM. Every frame of PCM decodes. */
  readonly #isRaw: boolean;
  /** Frames and bytes that arrived since watching began. */
  #came = { frames: 0, bytes: 0 };
  /** Mean bytes of a PCM frame in the period before; 0 if unknown. */
  #length = 0;
  /** How often PCM frames became much shorter. */
  #changes = 0;

  constructor(private readonly options: StreamCheckOptions) {
    this.#isRaw = sampleBytesOf(options.format) > 0;
  }

  /**
   * Takes a frame. It is called for every frame, so it only counts while no sample is taken.
   * @param data contains the frame; only read.
   * @param arrival ring clock.
   */
  add(data: Uint8Array, offset: number, length: number, arrival: number): void {
    const whole = this.#whole;
    if (length % 2 === 1) this.#whole = false;
    this.#came.frames++;
    this.#came.bytes += length;
    if (this.#state !== 'sampling') return;
    // Blank PCM at the start says nothing about the format of later audio, and would hide it.
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

  /** Called every tick. @param now ring clock. */
  look(now: number): void {
    if (this.#closed) return;
    if (this.#state === 'sampling') {
      if (this.#sampler !== null && ringAge(this.#began, now) >= sampleTime) this.#judge(now);
    } else if (this.#state === 'resting') {
      if (ringAge(this.#restSince, now) >= this.#pause) this.#state = 'sampling';
    } else if (this.#state === 'watching') this.#watch(now);
  }

  /** Frees the copied frames and ignores any later verdict. */
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
