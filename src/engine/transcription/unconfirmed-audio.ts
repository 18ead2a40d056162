import type { Utterance } from '../../audio/interface/index.js';
import { joinSamples } from '../../common/index.js';
/** Audio of a stream at 16 kHz; positions are on the stream's clock. */
export interface AudioPiece {
  readonly position: number;
  readonly pcm: Int16Array;
}

/** Audio with speech in it, in one piece. */
export type SpeechRun = Omit<Utterance, 'cut'>;

/** Speech for which no words have come. */
interface SpeechRange {
  from: number;
  /** Infinity while it lasts. */
  to: number;
  /** When it began, or went on behind what was confirmed; monotonic ms. */
  since: number;
  /** When its end was announced; monotonic ms. */
  endedAt: number;
}

/** Audio kept on either side of speech: what recognisers want. */
const margin = 4800;
/** A part of ended speech that is shorter than this is not waited for: words end before the detector says so. */
const remainder = 4800;

const endOf = ({ position, pcm }: AudioPiece): number => position + pcm.length;

/**
 * The audio of a stream that its provider has not confirmed by final words: what is sent again to another provider, or retained,
 * when this one fails. Silence is kept for a moment only, speech until words come that end behind it.
 */
export class UnconfirmedAudio {
  /** Samples of silence that are kept, because speech is announced when it has lasted for a while. */
  readonly #idle: number;
  #pieces: AudioPiece[] = [];
  #speech: SpeechRange[] = [];
  #confirmed = 0;
  /** Of all pieces. */
  #samples = 0;

  constructor(idle: number) {
    this.#idle = idle;
  }

  /** Position before which everything is done. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /** Ended speech that waits for its words. */
  get waiting(): number {
    return this.#speech.filter(({ to }) => Number.isFinite(to)).length;
  }

  /** Whose words have been awaited for longest. */
  get oldest(): Readonly<SpeechRange> | undefined {
    return this.#speech[0];
  }

  get samples(): number {
    return this.#samples;
  }

  /** What is kept, in order; nothing before what was confirmed. */
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
   * Words have come that end at `position`: what lies before it is done.
   * @returns speech that has ended and is done now.
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
   * Takes out all speech, with what is around it, and counts it as done. Speech that lasts goes on behind what was taken.
   * @param longest samples of a run at most
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

  /** The audio from one position to another, a run for each part without a hole in it. */
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

  /** Drops what lies before a position. */
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

  /** Drops pieces of silence that no speech needs. */
  #forget(): void {
    const last = this.#pieces.at(-1);
    if (last === undefined) return;
    const speech = this.#speech[0];
    const needed = speech === undefined ? endOf(last) - this.#idle : speech.from - margin;
    let whole = 0;
    while (endOf(this.#pieces[whole]!) < needed) whole++;
    this.#drop(whole);
  }

  /** Drops so many pieces, the oldest ones. */
  #drop(count: number): void {
    if (count === 0) return;
    for (const { pcm } of this.#pieces.splice(0, count)) this.#samples -= pcm.length;
  }
}
