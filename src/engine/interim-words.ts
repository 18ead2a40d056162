import { randomUUID } from 'node:crypto';
import { coreRate, type Utterance } from '../audio/core.js';
import type { UtteranceResult } from '../stt/provider.js';
import { Agreement } from '../transcript/index.js';

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
  asked: number;
  answered: number;
  /** What was asked at its last pause. */
  pause: { readonly request: number; readonly speechEnd: number; result?: UtteranceResult } | undefined;
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
      this.#open = { id: randomUUID(), start, agreement, asked: 0, answered: 0, pause: undefined };
    }
    const open = this.#open;
    // Read before the request is made: a provider in another thread takes the samples with it.
    const length = utterance.pcm.length / samplesPerMs;
    const request = this.#options.ask(utterance);
    if (request === undefined) return;
    const turn = ++open.asked;
    if (pauses) open.pause = { request: request.id, speechEnd: utterance.speechEnd };
    request.result.then(
      (result) => this.#answered(open, turn, { request: request.id, result, utterance, length, pauses }),
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

  #answered(
    open: Open,
    turn: number,
    answer: {
      request: number;
      result: UtteranceResult;
      utterance: Utterance;
      /** Ms of its audio. */
      length: number;
      pauses: boolean;
    },
  ): void {
    const { request, result, utterance, length, pauses } = answer;
    if (open.pause?.request === request) open.pause.result = result;
    // What comes late, or behind words of more audio, says nothing new.
    if (this.#open !== open || turn < open.answered || result.outcome !== 'success') return;
    open.answered = turn;
    // A text that repeats itself must not be agreed with.
    if (result.looped || result.text === '') return;
    const { words = [], text } = result;
    // Words without times are shown by agreement only.
    const until = length - this.#options.settled;
    const settled = words.findIndex(({ end }) => end > until);
    const count = open.agreement.take(text.split(' '), pauses, settled < 0 ? words.length : settled);
    if (count !== undefined) this.#options.show(open.id, result, count, utterance);
  }
}
