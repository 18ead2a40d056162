import { randomUUID } from 'node:crypto';
import { coreRate, type Utterance } from '../../audio/interface/index.js';
import type { UtteranceResult, WordTime } from '../../stt/shared/index.js';
import { Agreement } from '../../transcript/index.js';
import { beginningOfPart, furtherWords } from './newest-part.js';

const samplesPerMs = coreRate / 1000;

/** A request for the words of an open utterance. */
export interface InterimRequest {
  readonly id: number;
  readonly result: Promise<UtteranceResult>;
}

export interface InterimOptions {
  /** Requests a transcription; undefined if no suitable provider is connected. */
  readonly ask: (utterance: Utterance) => InterimRequest | undefined;
  /** Shows the first `count` words of a result, under the id of the later final words. */
  readonly show: (id: string, result: UtteranceResult, count: number, utterance: Utterance) => void;
  /** A word followed by so many ms of audio is shown without a second, agreeing result. */
  readonly settled: number;
  /** Longest utterance (ms) that is transcribed as a whole. Of a longer one only the newest part is, unless it pauses. */
  readonly whole: number;
}

/** The words of a finished utterance, if they are already known or requested. */
export interface EndedUtterance {
  /** Id of its segment. Words may already be shown under it. */
  readonly id: string;
  /** Its words, if all of its speech was transcribed while it was open. */
  readonly result?: UtteranceResult;
  /** Id of the running request that contains all of its speech. */
  readonly instead?: number;
}

/** An open utterance. */
interface Open {
  readonly id: string;
  /** Position of its first sample, which identifies it within the track. */
  readonly start: number;
  readonly agreement: Agreement;
  /** Its shown words, if their times are known. */
  shown: readonly WordTime[];
  /** Whether the text of its newest part could not be used. The next request then contains the whole utterance. */
  lost: boolean;
  asked: number;
  answered: number;
  /** The request made at its last pause. */
  pause: { readonly request: number; readonly speechEnd: number; result?: UtteranceResult } | undefined;
}

/** A copy of an utterance without its first `skipped` ms. */
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
  /** Ms of audio before the part that was transcribed. */
  readonly skipped: number;
  readonly pauses: boolean;
}

/** Finds the words of a track's open utterance. Use it on the shard's thread only. */
export class InterimWords {
  #open: Open | undefined;

  constructor(private readonly options: InterimOptions) {}

  /** Requests the words of an utterance that has more speech, or pauses. @param utterance the open utterance so far. */
  due(utterance: Utterance, pauses: boolean): void {
    if (this.#open?.start !== utterance.start) {
      const agreement = new Agreement();
      const { start } = utterance;
      const id = randomUUID();
      this.#open = { id, start, agreement, shown: [], lost: false, asked: 0, answered: 0, pause: undefined };
    }
    const open = this.#open;
    // The length is read before the request, because the samples are transferred to a provider in another thread.
    const length = utterance.pcm.length / samplesPerMs;
    const isPart = !pauses && !open.lost && length > this.options.whole;
    const skipped = isPart ? beginningOfPart(open.shown) : 0;
    const request = this.options.ask(skipped === 0 ? utterance : partOf(utterance, skipped));
    if (request === undefined) return;
    const turn = ++open.asked;
    if (pauses) open.pause = { request: request.id, speechEnd: utterance.speechEnd };
    request.result.then(
      (result) =>
        this.#answered(open, turn, { request: request.id, result, utterance, length, skipped, pauses }),
      () => undefined,
    );
  }

  /** Ends the utterance; no more of its words are shown here. @returns its words, if they are already known or requested. */
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
    // A result is ignored if the utterance has ended, or if a newer request was answered first.
    if (this.#open !== open || turn < open.answered || result.outcome !== 'success') return;
    open.answered = turn;
    // The text of a looping decoder must not count as agreement.
    if (result.looped || result.text === '') return;
    const { words = [] } = result;
    const timed = words.map(({ text, start, end }) => ({ text, start: start + skipped, end: end + skipped }));
    // Words without times are shown by agreement only.
    const until = length - this.options.settled;
    const behind = timed.findIndex(({ end }) => end > until);
    const settled = behind < 0 ? timed.length : behind;
    const shows = skipped === 0 && this.#showText(open, answer, timed, settled);
    if (shows || answer.pauses) return;
    const isUsed = this.#showFurther(open, answer, timed.slice(0, settled));
    if (skipped > 0) open.lost = !isUsed;
  }

  /** Shows the text of a whole utterance. @returns whether it changed the shown words. */
  #showText(open: Open, answer: Answer, timed: readonly WordTime[], settled: number): boolean {
    const { result, utterance, pauses } = answer;
    open.lost = false;
    const count = open.agreement.take(result.text.split(' '), pauses, settled);
    if (count === undefined) return false;
    open.shown = timed.slice(0, count);
    this.options.show(open.id, result, count, utterance);
    return true;
  }

  /** Appends the words that follow the shown words in a text. @returns whether there were any. */
  #showFurther(open: Open, { result, utterance }: Answer, timed: readonly WordTime[]): boolean {
    const further = furtherWords(open.shown, timed);
    if (further === undefined || further.length === 0) return false;
    open.agreement.extend(further.map(({ text }) => text));
    const words = [...open.shown, ...further];
    open.shown = words;
    const text = words.map((word) => word.text).join(' ');
    this.options.show(open.id, { ...result, text, words }, words.length, utterance);
    return true;
  }
}
