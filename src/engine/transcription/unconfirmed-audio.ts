import type { Utterance } from '../../audio/interface/index.js';
import { joinSamples } from '../../common/index.js';
/** A piece of a stream's audio: samples at 16 kHz, and the position of the first on the stream's clock. */
export interface AudioPiece {
  readonly position: number;
  readonly pcm: Int16Array;
}

/** A run of audio without gaps that contains speech. `probability` is known only if the run is a complete utterance. */
export type SpeechRun = Omit<Utterance, 'cut' | 'probability'> & Partial<Pick<Utterance, 'probability'>>;

/** A range of speech that has no words yet. Positions are in samples. */
interface SpeechRange {
  from: number;
  /** End of the speech; Infinity while it continues. */
  to: number;
  /** Monotonic time (ms) at which the speech began. If its beginning was confirmed: the time of that confirmation. */
  since: number;
  /** Monotonic time (ms) at which the end of the speech was announced. */
  endedAt: number;
}

/** Number of samples kept before and after speech, because recognisers need this context. */
const margin = 4800;
/**
 * If at most this many samples at the end of finished speech are unconfirmed, the speech counts as confirmed. The
 * reason: words end earlier than the speech that the detector finds.
 */
const remainder = 4800;

const endOf = ({ position, pcm }: AudioPiece): number => position + pcm.length;

/**
 * The audio of a stream that its provider has not confirmed by final words. If the provider fails, this audio is
 * sent to another provider or retained. Silence is kept briefly. Speech is kept until final words confirm it.
 */
export class UnconfirmedAudio {
  #pieces: AudioPiece[] = [];
  #speech: SpeechRange[] = [];
  #confirmed = 0;
  /** Number of samples of all pieces together. */
  #samples = 0;

  constructor(
    /** Number of samples of silence that are kept, because speech is announced some time after it began. */
    private readonly idle: number,
  ) {}

  /** Position before which all audio is confirmed. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /** Number of finished ranges of speech that await words. */
  get waiting(): number {
    return this.#speech.filter(({ to }) => Number.isFinite(to)).length;
  }

  /** The range of speech that has awaited words for the longest time. */
  get oldest(): Readonly<SpeechRange> | undefined {
    return this.#speech[0];
  }

  /** Whether a range of speech continues. */
  get isOpen(): boolean {
    return this.#speech.at(-1)?.to === Number.POSITIVE_INFINITY;
  }

  /** Position of the first sample that awaits words, with its context; Infinity if no speech awaits words. */
  get first(): number {
    const from = this.#speech[0]?.from;
    return from === undefined ? Number.POSITIVE_INFINITY : Math.max(this.#confirmed, from - margin);
  }

  get samples(): number {
    return this.#samples;
  }

  /** The kept audio in order. It contains no confirmed audio. */
  get pieces(): readonly AudioPiece[] {
    return this.#pieces;
  }

  add(piece: AudioPiece): void {
    this.#pieces.push(piece);
    this.#samples += piece.pcm.length;
    this.#forget();
  }

  speechStarted(position: number, now: number): void {
    this.#speech.push({
      from: Math.max(position, this.#confirmed),
      to: Number.POSITIVE_INFINITY,
      since: now,
      endedAt: now,
    });
  }

  speechEnded(position: number, now: number): void {
    const open = this.#speech.at(-1);
    if (open === undefined || Number.isFinite(open.to)) return;
    open.to = position;
    open.endedAt = now;
    if (position - open.from <= 0) this.#speech.pop();
  }

  /**
   * Confirms all audio before `position`, because final words that end there have arrived.
   * @returns the ranges of finished speech that are now confirmed.
   */
  confirm(position: number, now: number): readonly Readonly<SpeechRange>[] {
    if (position <= this.#confirmed) return [];
    this.#confirmed = position;
    const done = this.#speech.filter(({ to }) => to - position <= remainder);
    this.#speech = this.#speech.slice(done.length);
    for (const range of this.#speech) {
      if (range.from >= position) break;
      range.from = position;
      range.since = now;
    }
    this.#cut(position);
    this.#forget();
    return done;
  }

  /**
   * Removes and returns all speech with its margins, and counts it as confirmed. Open speech continues after the
   * removed part.
   * @param longest maximum number of samples of a run
   */
  takeSpeech(longest: number, now: number): SpeechRun[] {
    const runs: SpeechRun[] = [];
    let done = this.#confirmed;
    const last = this.#pieces.at(-1);
    const end = last === undefined ? done : endOf(last);
    for (const { from, to } of this.#speech) {
      const until = Math.min(to + margin, end);
      for (let at = Math.max(done, from - margin); at < until; ) {
        const next = Math.min(at + longest, until);
        runs.push(...this.#runs(at, next, from, Math.min(to, end)));
        at = next;
        done = next;
      }
    }
    this.#speech = this.#speech.filter(({ to }) => !Number.isFinite(to));
    this.confirm(done, now);
    return runs;
  }

  /** Returns the audio between two positions, as one run for each part without gaps. */
  #runs(from: number, to: number, speechStart: number, speechEnd: number): SpeechRun[] {
    const runs: { start: number; parts: Int16Array[]; length: number }[] = [];
    for (const piece of this.#pieces) {
      if (endOf(piece) <= from || piece.position >= to) continue;
      const part = piece.pcm.subarray(
        Math.max(0, from - piece.position),
        Math.min(piece.pcm.length, to - piece.position),
      );
      const start = Math.max(from, piece.position);
      let run = runs.at(-1);
      if (run === undefined || run.start + run.length !== start) {
        run = { start, parts: [], length: 0 };
        runs.push(run);
      }
      run.parts.push(part);
      run.length += part.length;
    }
    return runs.map(({ start, parts, length }) => ({
      start,
      pcm: joinSamples(parts),
      speechStart: Math.min(Math.max(start, speechStart), start + length),
      speechEnd: Math.max(start, Math.min(start + length, speechEnd)),
    }));
  }

  /** Drops the audio before a position. */
  #cut(position: number): void {
    let whole = 0;
    while (whole < this.#pieces.length && endOf(this.#pieces[whole]!) <= position) whole++;
    this.#drop(whole);
    const first = this.#pieces[0];
    if (first !== undefined && first.position < position) {
      this.#pieces[0] = { position, pcm: first.pcm.subarray(position - first.position) };
      this.#samples -= position - first.position;
    }
  }

  /** Drops pieces of silence that lie before the first needed audio. */
  #forget(): void {
    const last = this.#pieces.at(-1);
    if (last === undefined) return;
    const speech = this.#speech[0];
    const needed = speech === undefined ? endOf(last) - this.idle : speech.from - margin;
    let whole = 0;
    while (endOf(this.#pieces[whole]!) < needed) whole++;
    this.#drop(whole);
  }

  /** Drops the `count` oldest pieces. */
  #drop(count: number): void {
    if (count === 0) return;
    for (const { pcm } of this.#pieces.splice(0, count)) this.#samples -= pcm.length;
  }
}
