import { randomUUID } from 'node:crypto';
import type { Provider, UtteranceResult } from '../../stt/shared/index.js';
import { Agreement, type SpokenSegment } from '../../transcript/index.js';
import { speakerLabel } from '../../wire/index.js';
import type { PlacedWords } from './audio-feed.js';
import type { TranscriptionOptions } from './options.js';
import { type SpeechPlace, timesOf } from './speech-place.js';

export interface ShownWordsRules {
  /** Whether provisional words are shown for providers that take audio. */
  readonly interimWords: boolean;
  /** Whether the stream has lost its provider or is finishing. No more provisional words are then shown. */
  readonly ended: () => boolean;
}

/** The first words of an open utterance. */
export interface OpenWords {
  /** Segment id of the later final words. */
  readonly id: string;
  readonly result: UtteranceResult;
  /** Number of words to show. */
  readonly count: number;
  readonly place: SpeechPlace;
}

/** The provisional words of one stream, and the final words that replace them. */
export class ShownWords {
  /** Ids of the segments that contain provisional words. */
  readonly #shown = new Set<string>();
  /** Current provisional words of a provider that takes audio; null if there are none. */
  #open: { readonly id: string; readonly agreement: Agreement } | null = null;

  constructor(
    private readonly options: Pick<TranscriptionOptions, 'emit' | 'voice' | 'wallOf' | 'tellWall'>,
    private readonly rules: ShownWordsRules,
  ) {}

  /** Shows provisional words of a provider that takes audio, up to the last word that agrees with earlier results. */
  interim(words: PlacedWords | undefined, provider: Provider): void {
    if (words === undefined || !this.rules.interimWords) return;
    this.#open ??= { id: randomUUID(), agreement: new Agreement() };
    const spoken = words.text.split(/\s+/u).filter((word) => word !== '');
    const count = this.#open.agreement.take(spoken, false);
    if (count === undefined) return;
    const text = spoken.slice(0, count).join(' ');
    this.#show(this.#segmentOf(this.#open.id, { ...words, text }, provider, this.options.wallOf));
  }

  /** Emits final words of a provider that takes audio. */
  final(words: PlacedWords, provider: Provider): void {
    const id = this.#open?.id ?? randomUUID();
    this.#open = null;
    this.transcribed(this.#segmentOf(id, words, provider, this.options.tellWall));
  }

  /** Shows words of an open utterance. @param unlabelled whether diarization will later label the words. */
  utterance({ id, result, count, place }: OpenWords, unlabelled: boolean): void {
    const { provider, model, words = [] } = result;
    const text = result.text.split(' ').slice(0, count).join(' ');
    const label = unlabelled ? ({ unlabelled: true } as const) : {};
    const times = timesOf(words.slice(0, count), place);
    this.#show({ id, text, ...this.options.voice, ...label, provider, model, ...times });
  }

  /** Emits final words. They replace the provisional words of the same id. */
  transcribed(segment: SpokenSegment): void {
    this.#shown.delete(segment.id);
    this.options.emit({ kind: 'transcribed', segment });
  }

  /** Withdraws the provisional words of an id. Called when no final words will follow. */
  withdraw(id: string): void {
    if (this.#shown.delete(id)) this.options.emit({ kind: 'withdrawn', id });
  }

  withdrawAll(): void {
    for (const id of this.#shown) this.withdraw(id);
    this.#open = null;
  }

  #show(segment: SpokenSegment): void {
    if (this.rules.ended()) return;
    this.#shown.add(segment.id);
    this.options.emit({ kind: 'provisional', segment });
  }

  #segmentOf(
    id: string,
    { text, from, to, speaker }: PlacedWords,
    provider: Provider,
    wallOf: (sample: number) => number,
  ): SpokenSegment {
    const { voice } = this.options;
    const spoken =
      speaker === undefined || !provider.capabilities.diarizes
        ? voice
        : { ...voice, speaker: speakerLabel(speaker), speakerId: speaker };
    return { id, text, ...spoken, provider: provider.name, from: wallOf(from), to: wallOf(to) };
  }
}
