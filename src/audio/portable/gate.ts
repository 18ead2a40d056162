import { type EndStep, mostEndSteps } from '../../config/settings/index.js';
import { CoreEvent, type GateOptions, windowSamples } from '../interface/index.js';

/** Length in samples of the silence that an utterance includes behind its speech. Recognisers need 0.3 s. */
const trail = 4800;
const samplesPerMs = 16;

/** An event of the gate; positions are samples since the stream opened. */
export interface GateEvent {
  readonly kind:
    | typeof CoreEvent.speechStart
    | typeof CoreEvent.speechEnd
    | typeof CoreEvent.utterance
    | typeof CoreEvent.open;
  /** Position of the start or end of speech, or of the first sample of a finished or open utterance. */
  readonly first: number;
  /** For an utterance: the position behind its last sample. */
  readonly last: number;
  readonly speechStart: number;
  readonly speechEnd: number;
  /** For a finished utterance: whether the maximum length cut it. For an open utterance: whether it is in a pause. */
  readonly cut: boolean;
  /**
   * Mean probability of the windows from the start of speech to its end, short silences included. 0 for the event of a
   * start.
   */
  readonly probability: number;
}

const mark = (
  kind: typeof CoreEvent.speechStart | typeof CoreEvent.speechEnd,
  at: number,
  probability = 0,
): GateEvent => ({
  kind,
  first: at,
  last: 0,
  speechStart: 0,
  speechEnd: 0,
  cut: false,
  probability,
});

/**
 * Decides where speech starts and ends, by the rules of native/gate/gate.h. The same test vectors run against both.
 * Rounds thresholds to float32 like the native gate. Otherwise a probability equal to a threshold could be decided
 * differently.
 */
export class Gate {
  readonly #onset: number;
  readonly #off: number;
  readonly #preRoll: number;
  readonly #shortSilence: number;
  readonly #longSilence: number;
  /** End steps with durations in samples. */
  readonly #schedule: readonly EndStep[];
  readonly #minSpeech: number;
  readonly #openSilence: number;
  /**
   * Length in samples of new speech after which an open utterance is reported; 0 if open utterances are not reported.
   */
  readonly #openStep: number;
  readonly #maxUtterance: number;
  #position = 0;
  #taken = 0;
  /** Whether the gate lingers: `longSilence` then replaces `endSilence`, if `longSilence` is longer. */
  lingers = false;
  /**
   * Speech that begins before this position needs only half of `minSpeech`. The position is `endSilence` behind the
   * last announced speech.
   */
  #bridgedUntil = -1;
  #open = false;
  #announced = false;
  #first = 0;
  #speechStart = 0;
  #silence = -1;
  /** Position up to which the open utterance was reported. */
  #toldUntil = 0;
  /** Whether the current silence of the open utterance was reported. */
  #silenceTold = false;
  #quietest = 2;
  #quietAt = -1;
  /**
   * Sum of the probabilities of all windows since the start of speech (`#sum`), and number of these windows.
   * `#voicedSum` and `#voicedWindows` are the same sum and number, up to the last window that was not silent.
   */
  #sum = 0;
  #windows = 0;
  #voicedSum = 0;
  #voicedWindows = 0;

  constructor(options: GateOptions) {
    const samples = (ms: number) => Math.round(ms * samplesPerMs);
    this.#onset = Math.fround(options.onset);
    this.#off = Math.fround(options.off);
    this.#shortSilence = samples(options.endSilence);
    this.#longSilence = Math.max(this.#shortSilence, samples(options.longSilence ?? 0));
    this.#schedule = (options.endSchedule ?? [])
      .slice(0, mostEndSteps)
      .map(({ speech, silence }) => ({ speech: samples(speech), silence: samples(silence) }));
    this.#minSpeech = samples(options.minSpeech);
    this.#openSilence = samples(options.open?.silence ?? 0);
    this.#openStep = samples(options.open?.step ?? 0);
    this.#maxUtterance = samples(options.maxUtterance);
    this.#preRoll = Math.min(samples(options.preRoll), Math.floor(this.#maxUtterance / 2));
  }

  get position(): number {
    return this.#position;
  }

  get speaking(): boolean {
    return this.#open;
  }

  /** Whether the start of the open speech was announced. Its end is then announced, too. */
  get announced(): boolean {
    return this.#open && this.#announced;
  }

  /** Position of the first sample that the open utterance or a later one may contain. */
  get retainFrom(): number {
    return this.#open ? this.#first : Math.max(this.#taken, this.#position - this.#preRoll);
  }

  /** Takes the probability of the next window. Returns the events that it causes. */
  step(probability: number): GateEvent[] {
    const windowStart = this.#position;
    this.#position += windowSamples;
    if (!this.#open) {
      if (!(probability >= this.#onset)) return [];
      this.#begin(windowStart);
    } else if (probability >= this.#off) {
      this.#silence = -1;
      this.#silenceTold = false;
    } else if (this.#silence < 0) {
      this.#silence = Math.max(this.#speechStart, windowStart);
    }
    this.#tally(probability);
    if (3 * (windowStart - this.#first) >= 2 * this.#maxUtterance && probability <= this.#quietest) {
      this.#quietest = probability;
      this.#quietAt = windowStart + windowSamples / 2;
    }

    const events: GateEvent[] = [];
    const voiced = this.#silence >= 0 ? this.#silence : this.#position;
    const least = this.#speechStart < this.#bridgedUntil ? Math.floor(this.#minSpeech / 2) : this.#minSpeech;
    if (!this.#announced && voiced - this.#speechStart >= least) this.#announce(events);
    if (this.#silence >= 0 && this.#position - this.#silence >= this.#silenceThatEnds()) {
      this.#finish(this.#position, events);
    } else if (this.#position - this.#first >= this.#maxUtterance) {
      if (!this.#announced) this.#announce(events);
      this.#cut(events);
    } else if (this.#tellsOpen()) {
      events.push(this.openUtterance());
      this.#toldUntil = this.#position;
      this.#silenceTold = this.#silence >= 0;
    }
    return events;
  }

  /** Returns the open utterance so far. Call it only while `announced`. */
  openUtterance(): GateEvent {
    return {
      kind: CoreEvent.open,
      first: this.#first,
      last: this.#position,
      speechStart: this.#speechStart,
      speechEnd: this.#silence >= 0 ? this.#silence : this.#position,
      cut: this.#silence >= 0,
      probability: this.#mean,
    };
  }

  /**
   * Ends the open utterance, if any, as if silence had followed.
   * @param end position of the end, which may lie inside the next window.
   */
  flush(end: number): GateEvent[] {
    const events: GateEvent[] = [];
    if (this.#open) this.#finish(end, events);
    return events;
  }

  /** Returns whether the open utterance must be reported now. */
  #tellsOpen(): boolean {
    if (!this.#announced || this.#openStep <= 0) return false;
    if (this.#silence >= 0) return !this.#silenceTold && this.#position - this.#silence >= this.#openSilence;
    return this.#position - this.#toldUntil >= this.#openStep;
  }

  /** Length in samples of the silence that ends an utterance if no step of the schedule applies. */
  get #endSilence(): number {
    return this.lingers ? this.#longSilence : this.#shortSilence;
  }

  /** Returns the length in samples of the silence that ends the utterance. It depends on the length of the speech so far. */
  #silenceThatEnds(): number {
    const spoken = this.#silence - this.#speechStart;
    let silence = this.#endSilence;
    for (const step of this.#schedule) {
      if (spoken < step.speech) break;
      silence = Math.min(silence, step.silence);
    }
    return silence;
  }

  #begin(windowStart: number): void {
    this.#open = true;
    this.#announced = false;
    this.#speechStart = Math.max(this.#taken, windowStart);
    this.#first = Math.min(this.#speechStart, Math.max(this.#taken, windowStart - this.#preRoll));
    this.#silence = -1;
    this.#silenceTold = false;
    this.#toldUntil = this.#speechStart;
    this.#quietAt = -1;
    this.#quietest = 2;
    this.#sum = 0;
    this.#windows = 0;
    this.#voicedSum = 0;
    this.#voicedWindows = 0;
  }

  /** Adds the probability of a window to the mean of the open speech. */
  #tally(probability: number): void {
    this.#sum += probability;
    this.#windows++;
    if (this.#silence >= 0) return;
    this.#voicedSum = this.#sum;
    this.#voicedWindows = this.#windows;
  }

  /** Mean probability of the open speech, as a float32 like the native gate's. */
  get #mean(): number {
    return Math.fround(this.#voicedWindows > 0 ? this.#voicedSum / this.#voicedWindows : 0);
  }

  #announce(events: GateEvent[]): void {
    this.#announced = true;
    events.push(mark(CoreEvent.speechStart, this.#speechStart));
  }

  #finish(end: number, events: GateEvent[]): void {
    this.#open = false;
    if (!this.#announced) return;
    const speechEnd = this.#silence >= 0 ? this.#silence : end;
    this.#bridgedUntil = this.#schedule.length > 0 ? speechEnd + this.#endSilence : -1;
    events.push(mark(CoreEvent.speechEnd, speechEnd, this.#mean));
    if (speechEnd <= this.#speechStart) return;
    const last = Math.min(end, speechEnd + trail);
    this.#utterance(last, speechEnd, false, events);
  }

  #cut(events: GateEvent[]): void {
    const at = this.#quietAt > this.#speechStart ? this.#quietAt : this.#position;
    const speechEnd = this.#silence >= 0 ? Math.min(this.#silence, at) : at;
    if (speechEnd > this.#speechStart) this.#utterance(at, speechEnd, true, events);
    this.#taken = at;
    this.#first = at;
    this.#speechStart = at;
    if (this.#silence >= 0) this.#silence = Math.max(this.#silence, at);
    this.#silenceTold = false;
    this.#toldUntil = at;
    this.#quietAt = -1;
    this.#quietest = 2;
  }

  #utterance(last: number, speechEnd: number, cut: boolean, events: GateEvent[]): void {
    events.push({
      kind: CoreEvent.utterance,
      first: this.#first,
      last,
      speechStart: this.#speechStart,
      speechEnd,
      cut,
      probability: this.#mean,
    });
    this.#taken = last;
  }
}
