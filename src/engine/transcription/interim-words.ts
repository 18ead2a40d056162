import { randomUUID } from 'node:crypto';
import { coreRate, type Utterance } from '../../audio/interface/index.js';
import type { UtteranceResult, WordTime } from '../../stt/shared/index.js';
import { Agreement } from '../../transcript/index.js';
import { agreedWords, beginningOfPart, furtherWords, wordsAfter } from './newest-part.js';
import type { SpeechRun } from './unconfirmed-audio.js';

const samplesPerMs = coreRate / 1000;

/** A request for the words of an open utterance. */
export interface InterimRequest {
  readonly id: number;
  readonly result: Promise<UtteranceResult>;
}

export interface InterimOptions {
  /**
   * Requests a transcription. Returns undefined if no suitable provider is connected. If `pauses` is true, the speaker
   * has paused, and the words become final if no speech follows.
   */
  readonly ask: (utterance: Utterance, pauses: boolean) => InterimRequest | undefined;
  /** Shows the first `count` words of a result, under the id of the later final words. */
  readonly show: (id: string, result: UtteranceResult, count: number, utterance: SpeechRun) => void;
  /** Withdraws the shown words of an id. Called if the utterance of these words never ends. */
  readonly withdraw: (id: string) => void;
  /** If at least this many ms of audio follow a word, the word is shown without a second result that agrees. */
  readonly settled: number;
  /**
   * Maximum length in ms of an utterance that is transcribed completely. Of a longer utterance only the newest part is
   * transcribed, unless the speaker pauses.
   */
  readonly whole: number;
}

/** Words of a finished utterance that are already known or requested. */
export interface EndedUtterance {
  /** Id of the utterance's segment. Provisional words may already be shown under this id. */
  readonly id: string;
  /** The words, if all speech of the utterance was transcribed while it was open. */
  readonly result?: UtteranceResult;
  /**
   * Id of a running interim request that contains all speech of the utterance. Its words may be used for the final
   * request.
   */
  readonly instead?: number;
}

/** An open utterance. */
interface Open {
  readonly id: string;
  /** Position of the utterance's first sample. It identifies the utterance within the track. */
  readonly start: number;
  readonly agreement: Agreement;
  /** The shown words of the utterance, if their times are known. */
  shown: readonly WordTime[];
  /** The result that was shown last. */
  last: UtteranceResult | undefined;
  /**
   * The words of the latest usable result, whether shown or not. Their times are ms from the first sample of the
   * utterance.
   */
  before: readonly WordTime[];
  /**
   * If true, the text of the utterance's newest part could not be used, and the next request contains the complete
   * utterance.
   */
  lost: boolean;
  asked: number;
  answered: number;
  /** The request made at the utterance's last pause. */
  pause: { readonly request: number; readonly speechEnd: number; result?: UtteranceResult } | undefined;
}

const openAt = (start: number): Open => ({
  id: randomUUID(),
  start,
  agreement: new Agreement(),
  shown: [],
  last: undefined,
  before: [],
  lost: false,
  asked: 0,
  answered: 0,
  pause: undefined,
});

/** Copies an utterance without its first `skipped` ms. */
const partOf = (utterance: Utterance, skipped: number): Utterance => {
  const samples = Math.round(skipped * samplesPerMs);
  return { ...utterance, start: utterance.start + samples, pcm: utterance.pcm.slice(samples) };
};

/** A request about an open utterance, and its result. */
interface Answer {
  readonly request: number;
  readonly result: UtteranceResult;
  readonly utterance: Utterance;
  /** Length of the utterance's audio in ms. */
  readonly length: number;
  /** Length in ms of the audio before the transcribed part. */
  readonly skipped: number;
  readonly pauses: boolean;
}

/**
 * Finds the words of a track's open utterance. Words that were sent to clients are called shown words. Use it on the
 * shard's thread only.
 */
export class InterimWords {
  #open: Open | undefined;

  constructor(private readonly options: InterimOptions) {}

  /**
   * Requests the words of the open utterance, because more speech or a pause has followed. @param utterance the open
   * utterance so far.
   */
  due(utterance: Utterance, pauses: boolean): void {
    this.#open = this.#openAt(utterance.start) ?? openAt(utterance.start);
    const open = this.#open;
    // The length is read before the request, because the samples are transferred to a provider in another thread.
    const length = utterance.pcm.length / samplesPerMs;
    const isPart = !pauses && !open.lost && length > this.options.whole;
    const skipped = isPart ? beginningOfPart(open.shown) : 0;
    const request = this.options.ask(skipped === 0 ? utterance : partOf(utterance, skipped), pauses);
    if (request === undefined) return;
    const turn = ++open.asked;
    if (pauses) open.pause = { request: request.id, speechEnd: utterance.speechEnd };
    request.result.then(
      (result) =>
        this.#answered(open, turn, { request: request.id, result, utterance, length, skipped, pauses }),
      () => undefined,
    );
  }

  /**
   * Ends the utterance. Later results do not change its shown words. @returns the utterance's words, if they are
   * already known or requested.
   */
  end(utterance: Utterance): EndedUtterance {
    const { start, speechEnd, cut } = utterance;
    const open = this.#openAt(start);
    this.#open = open !== undefined && cut ? this.#carryOn(open, utterance) : undefined;
    if (open === undefined) return { id: randomUUID() };
    const { id, pause } = open;
    if (pause?.speechEnd !== speechEnd) return { id };
    const { request, result } = pause;
    if (result === undefined) return { id, instead: request };
    return result.outcome === 'success' || result.outcome === 'empty_unexpected' ? { id, result } : { id };
  }

  /**
   * Returns the open utterance if it begins at this sample. If another utterance is open, withdraws its words, because
   * that utterance never ended.
   */
  #openAt(start: number): Open | undefined {
    if (this.#open?.start === start) return this.#open;
    if (this.#open !== undefined) this.options.withdraw(this.#open.id);
    return undefined;
  }

  /**
   * Shows the words that lie after the end of a cut utterance as the first words of the next utterance. The next
   * utterance begins at that end.
   * @returns the next utterance; undefined if there are no such words.
   */
  #carryOn({ id, shown, last }: Open, utterance: Utterance): Open | undefined {
    const { kept, further } = wordsAfter(shown, utterance.pcm.length / samplesPerMs);
    if (last === undefined || kept.length === 0 || further.length === 0) return undefined;
    const start = utterance.start + utterance.pcm.length;
    const next = { ...openAt(start), shown: further, last };
    next.agreement.extend(further.map(({ text }) => text));
    const speechEnd = start + Math.round(further.at(-1)!.end * samplesPerMs);
    this.#showWords(id, last, kept, utterance);
    this.#showWords(next.id, last, further, { pcm: new Int16Array(), start, speechStart: start, speechEnd });
    return next;
  }

  #showWords(id: string, result: UtteranceResult, words: readonly WordTime[], run: SpeechRun): void {
    const text = words.map((word) => word.text).join(' ');
    this.options.show(id, { ...result, text, words }, words.length, run);
  }

  #answered(open: Open, turn: number, answer: Answer): void {
    const { request, result, length, skipped } = answer;
    if (open.pause?.request === request) open.pause.result = result;
    // Ignores a result if the utterance has ended, or if a newer request was answered first.
    if (this.#open !== open || turn < open.answered) return;
    if (result.outcome !== 'success' && result.outcome !== 'empty_unexpected') return;
    open.answered = turn;
    // A looping decoder repeats its text, which must not count as agreement. An empty text of a part proves nothing,
    // because the model may still find words in the whole utterance.
    if (result.looped || result.text === '') {
      if (skipped > 0) open.lost = true;
      return;
    }
    const { words = [] } = result;
    const timed = words.map(({ text, start, end }) => ({ text, start: start + skipped, end: end + skipped }));
    const { before } = open;
    open.before = timed;
    // A word with a known time counts as settled if enough audio follows it. Words without times are shown only if two
    // results agree.
    const until = length - this.options.settled;
    const behind = timed.findIndex(({ end }) => end > until);
    const settled = behind < 0 ? timed.length : behind;
    const shows = skipped === 0 && this.#showText(open, answer, timed, settled);
    if (shows || answer.pauses) return;
    const isUsed = this.#showFurther(open, answer, timed.slice(0, agreedWords(timed, before, settled)));
    if (skipped > 0) open.lost = !isUsed;
  }

  /** Shows the text of a complete utterance. @returns whether the shown words changed. */
  #showText(open: Open, answer: Answer, timed: readonly WordTime[], settled: number): boolean {
    const { result, utterance, pauses } = answer;
    open.lost = false;
    const count = open.agreement.take(result.text.split(' '), pauses, settled);
    if (count === undefined) return false;
    open.shown = timed.slice(0, count);
    open.last = result;
    this.options.show(open.id, result, count, utterance);
    return true;
  }

  /** Appends the words that follow the shown words in a text. @returns whether the text has such words. */
  #showFurther(open: Open, { result, utterance }: Answer, timed: readonly WordTime[]): boolean {
    const further = furtherWords(open.shown, timed);
    if (further === undefined || further.length === 0) return false;
    open.agreement.extend(further.map(({ text }) => text));
    const words = [...open.shown, ...further];
    open.shown = words;
    open.last = result;
    this.#showWords(open.id, result, words, utterance);
    return true;
  }
}
