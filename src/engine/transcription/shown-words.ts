import { randomUUID } from 'node:crypto';
import type { Provider, UtteranceResult } from '../../stt/shared/index.js';
import { Agreement, type SpokenSegment } from '../../transcript/index.js';
import { speakerLabel } from '../../wire/index.js';
import type { PlacedWords } from './audio-feed.js';
import type { TranscriptionOptions } from './options.js';
import { type SpeechPlace, timesOf } from './speech-place.js';

export interface ShownWordsRules {
  /** Whether words of providers that take audio are shown before they are final. */
  readonly interimWords: boolean;
  /** The stream has no provider any more, or no speech: no more words are shown that are not final. */
  readonly ended: () => boolean;
}

/** The first words of an utterance that goes on. */
export interface OpenWords {
  /** Of the segment that the final words will have. */
  readonly id: string;
  readonly result: UtteranceResult;
  /** How many of the words are shown. */
  readonly count: number;
  readonly place: SpeechPlace;
}

/** The words of one stream that are shown before they are final, and the final ones that take their place. */
export class ShownWords {
  readonly #options: Pick<TranscriptionOptions, 'emit' | 'voice' | 'wallOf'>;
  readonly #rules: ShownWordsRules;
  /** Ids under which words are shown that are not final. */
  readonly #shown = new Set<string>();
  /** Words of a provider of audio that are not final. */
  #open: { readonly id: string; readonly agreement: Agreement } | null = null;

  constructor(options: Pick<TranscriptionOptions, 'emit' | 'voice' | 'wallOf'>, rules: ShownWordsRules) {
    this.#options = options;
    this.#rules = rules;
  }

  /** Words of a provider of audio that may change; shown as far as they agree with those before. */
  interim(words: PlacedWords | undefined, provider: Provider): void {
    if (words === undefined || !this.#rules.interimWords) return;
    this.#open ??= { id: randomUUID(), agreement: new Agreement() };
    const spoken = words.text.split(/\s+/u).filter((word) => word !== '');
    const count = this.#open.agreement.take(spoken, false);
    if (count === undefined) return;
    const text = spoken.slice(0, count).join(' ');
    this.#show(this.#segmentOf(this.#open.id, { ...words, text }, provider));
  }

  /** Final words of a provider of audio. */
  final(words: PlacedWords, provider: Provider): void {
    const id = this.#open?.id ?? randomUUID();
    this.#open = null;
    this.transcribed(this.#segmentOf(id, words, provider));
  }

  /** Words of an utterance that goes on. @param unlabelled its voices are still to be told apart. */
  utterance({ id, result, count, place }: OpenWords, unlabelled: boolean): void {
    const { provider, words = [] } = result;
    const text = result.text.split(' ').slice(0, count).join(' ');
    const label = unlabelled ? ({ unlabelled: true } as const) : {};
    const times = timesOf(words.slice(0, count), place);
    this.#show({ id, text, ...this.#options.voice, ...label, provider, ...times });
  }

  /** Hands final words on; those that were shown under their id are not taken back any more. */
  transcribed(segment: SpokenSegment): void {
    this.#shown.delete(segment.id);
    this.#options.emit({ kind: 'transcribed', segment });
  }

  /** What is shown under an id has no final words: it is taken back. */
  withdraw(id: string): void {
    if (this.#shown.delete(id)) this.#options.emit({ kind: 'withdrawn', id });
  }

  withdrawAll(): void {
    for (const id of this.#shown) this.withdraw(id);
    this.#open = null;
  }

  #show(segment: SpokenSegment): void {
    if (this.#rules.ended()) return;
    this.#shown.add(segment.id);
    this.#options.emit({ kind: 'provisional', segment });
  }

  #segmentOf(id: string, { text, from, to, speaker }: PlacedWords, provider: Provider): SpokenSegment {
    const { voice, wallOf } = this.#options;
    const spoken =
      speaker === undefined || !provider.capabilities.diarizes
        ? voice
        : { ...voice, speaker: speakerLabel(speaker), speakerId: speaker };
    return { id, text, ...spoken, provider: provider.name, from: wallOf(from), to: wallOf(to) };
  }
}
