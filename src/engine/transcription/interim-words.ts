import { randomUUID } from 'node:crypto';
import { coreRate, type Utterance } from '../../audio/interface/index.js';
import type { UtteranceResult, WordTime } from '../../stt/shared/index.js';
import { Agreement } from '../../transcript/index.js';
import { beginningOfPart, furtherWords } from './newest-part.js';

const samplesPerMs = coreRate / 1000;

/** A request for the words of an utterance that goes on. */
export interface InterimRequest {
  readonly id: number;
  readonly result: Promise<UtteranceResult>;
}

export interface InterimOptions {
  /** Has it transcribed; undefined when nothing serves that could. */
  readonly ask: (utterance: Utterance) => InterimRequest | undefined;
  /** Shows the first words of a result under the id that the final words will have. */
  readonly show: (id: string, result: UtteranceResult, count: number, utterance: Utterance) => void;
  /** Ms of audio behind a word with which one text alone is enough to show it. */
  readonly settled: number;
  /** Ms of an utterance up to which all of it is transcribed; of a longer one its newest part is, except where it pauses. */
  readonly whole: number;
}

/** What is known of the words of a finished utterance. */
export interface EndedUtterance {
  /** Id of its segment; words may be shown under it. */
  readonly id: string;
  /** Its words, where all of its speech was transcribed while it was open. */
  readonly result?: UtteranceResult;
  /** The request that is on its way with all of its speech. */
  readonly instead?: number;
}

/** An utterance that goes on. */
interface Open {
  readonly id: string;
  /** Its first sample: no other utterance of the track has it. */
  readonly start: number;
  readonly agreement: Agreement;
  /** Its words that are shown, where their times are known. */
  shown: readonly WordTime[];
  /** The text of its newest part was of no use: all of it is transcribed next time. */
  lost: boolean;
  asked: number;
  answered: number;
  /** What was asked at its last pause. */
  pause: { readonly request: number; readonly speechEnd: number; result?: UtteranceResult } | undefined;
}

/** An utterance from `skipped` ms on, in memory of its own. */
const partOf = (utterance: Utterance, skipped: number): Utterance => {
  const samples = Math.round(skipped * samplesPerMs);
  return { ...utterance, start: utterance.start + samples, pcm: utterance.pcm.slice(samples) };
};

/** What was asked of an utterance that goes on, and the answer. */
interface Answer {
  readonly request: number;
  readonly result: UtteranceResult;
  readonly utterance: Utterance;
  /** Ms of its audio. */
  readonly length: number;
  /** Ms of it before the part that was transcribed. */
  readonly skipped: number;
  readonly pauses: boolean;
}

/** The words of a track's utterance while it goes on. On the shard's thread only. */
export class InterimWords {
  readonly #options: InterimOptions;
  #open: Open | undefined;

  constructor(options: InterimOptions) {
    this.#options = options;
  }

  /** The utterance has more speech, or pauses: it is transcribed as far as it goes. @param utterance the open one so far. */
  due(utterance: Utterance, pauses: boolean): void {
    if (this.#open?.start !== utterance.start) {
      const agreement = new Agreement();
      const { start } = utterance;
      const id = randomUUID();
      this.#open = { id, start, agreement, shown: [], lost: false, asked: 0, answered: 0, pause: undefined };
    }
    const open = this.#open;
    // Read before the request is made: a provider in another thread takes the samples with it.
    const length = utterance.pcm.length / samplesPerMs;
    const isPart = !pauses && !open.lost && length > this.#options.whole;
    const skipped = isPart ? beginningOfPart(open.shown) : 0;
    const request = this.#options.ask(skipped === 0 ? utterance : partOf(utterance, skipped));
    if (request === undefined) return;
    const turn = ++open.asked;
    if (pauses) open.pause = { request: request.id, speechEnd: utterance.speechEnd };
    request.result.then(
      (result) =>
        this.#answered(open, turn, { request: request.id, result, utterance, length, skipped, pauses }),
      () => undefined,
    );
  }

  /** The utterance has ended. @returns what is known of it; nothing is shown of it from here on. */
  end({ start, speechEnd }: Utterance): EndedUtterance {
    const open = this.#open?.start === start ? this.#open : undefined;
    this.#open = undefined;
    if (open === undefined) return { id: randomUUID() };
    const { id, pause } = open;
    if (pause?.speechEnd !== speechEnd) return { id };
    const { request, result } = pause;
    if (result === undefined) return { id, instead: request };
    return result.outcome === 'success' || result.outcome === 'empty_unexpected' ? { id, result } : { id };
  }

  #answered(open: Open, turn: number, answer: Answer): void {
    const { request, result, length, skipped } = answer;
    if (open.pause?.request === request) open.pause.result = result;
    // What comes late, or behind words of more audio, says nothing new.
    if (this.#open !== open || turn < open.answered || result.outcome !== 'success') return;
    open.answered = turn;
    // A text that repeats itself must not be agreed with.
    if (result.looped || result.text === '') return;
    const { words = [] } = result;
    const timed = words.map(({ text, start, end }) => ({ text, start: start + skipped, end: end + skipped }));
    // Words without times are shown by agreement only.
    const until = length - this.#options.settled;
    const behind = timed.findIndex(({ end }) => end > until);
    const settled = behind < 0 ? timed.length : behind;
    const shows = skipped === 0 && this.#showText(open, answer, timed, settled);
    if (shows || answer.pauses) return;
    const isUsed = this.#showFurther(open, answer, timed.slice(0, settled));
    if (skipped > 0) open.lost = !isUsed;
  }

  /** Shows what the text of a whole utterance says. @returns whether it changes anything. */
  #showText(open: Open, answer: Answer, timed: readonly WordTime[], settled: number): boolean {
    const { result, utterance, pauses } = answer;
    open.lost = false;
    const count = open.agreement.take(result.text.split(' '), pauses, settled);
    if (count === undefined) return false;
    open.shown = timed.slice(0, count);
    this.#options.show(open.id, result, count, utterance);
    return true;
  }

  /** Adds what a text has behind the words that are shown to these. @returns whether there is any. */
  #showFurther(open: Open, { result, utterance }: Answer, timed: readonly WordTime[]): boolean {
    const further = furtherWords(open.shown, timed);
    if (further === undefined || further.length === 0) return false;
    open.agreement.extend(further.map(({ text }) => text));
    const words = [...open.shown, ...further];
    open.shown = words;
    const text = words.map((word) => word.text).join(' ');
    this.#options.show(open.id, { ...result, text, words }, words.length, utterance);
    return true;
  }
}
