import { randomUUID } from 'node:crypto';
import { coreRate } from '../../audio/interface/index.js';
import { providerLabel } from '../../metrics/index.js';
import { isAudioStream } from '../../stt/providers/index.js';
import type { UtteranceRequest, UtteranceResult } from '../../stt/shared/index.js';
import { VoicePieces } from '../voices/index.js';
import type { EndedUtterance } from './interim-words.js';
import type { TranscriptionContext, TranscriptionOptions } from './options.js';
import { type Connected, isLost, type ProviderFailure } from './provider-link.js';
import type { ShownWords } from './shown-words.js';
import { type SpeechPlace, timesOf } from './speech-place.js';
import type { SpeechRun } from './unconfirmed-audio.js';

const samplesPerMs = coreRate / 1000;

/** Where an utterance lies in time, and the id of its segment. */
interface NamedPlace extends SpeechPlace {
  readonly id: string;
  /** When the gate told of its end; monotonic ms. */
  readonly ended: number;
}

/** The provider of the stream, as its utterances see it. */
export interface UtteranceProvider {
  /** The connection that is served, or being made; null when none could be. */
  readonly connected: () => Promise<Connected | null>;
  /** Whether the voices of utterances are to be told apart here. */
  readonly listens: () => boolean;
  /** Why no provider serves any more and speech is retained; null while one does. */
  readonly failed: () => string | null;
  /** The provider cannot serve any longer. */
  readonly fail: (failure: ProviderFailure) => void;
}

/** The utterances of one stream that are on their way: to words, or to where audio is retained. */
export class UtteranceWork {
  readonly #options: TranscriptionOptions;
  readonly #context: TranscriptionContext;
  readonly #shown: ShownWords;
  readonly #provider: UtteranceProvider;
  readonly #pending = new Set<Promise<void>>();
  readonly #pieces = new VoicePieces();
  /** Resolves when the utterances so far have their words, or have been retained. Never rejects. */
  #earlier: Promise<void> = Promise.resolve();

  constructor(
    options: TranscriptionOptions,
    context: TranscriptionContext,
    shown: ShownWords,
    provider: UtteranceProvider,
  ) {
    this.#options = options;
    this.#context = context;
    this.#shown = shown;
    this.#provider = provider;
  }

  /** How many are on their way. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Resolves when those that are on their way now have arrived. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Has the voices told apart of what is new of an utterance, where that is to be done. @param ended whether nothing follows. */
  listen(run: SpeechRun, ended: boolean): void {
    if (!this.#provider.listens()) return;
    const piece = this.#pieces.take(run, this.placeOf(run).began, ended);
    if (piece !== undefined) this.#options.listen!(piece);
  }

  /** Has an utterance transcribed. @param known of its words, where it was transcribed while it went on. */
  offer(run: SpeechRun, known: EndedUtterance = { id: randomUUID() }): void {
    const { id, instead, result } = known;
    const request = { ...this.requestOf(run), ...(instead === undefined ? {} : { instead }) };
    const words = { ...this.placeOf(run), id, ended: this.#context.clock.monotonic() };
    const failed = this.#provider.failed();
    if (failed === null) this.listen(run, true);
    if (instead !== undefined || result !== undefined) this.#context.metrics.add('interim_reused_total');
    // What was spoken until the socket is closed was accepted, too.
    const work =
      failed !== null
        ? this.#retain(request, failed)
        : result === undefined
          ? this.#transcribe(request, words, this.#earlier)
          : this.#earlier.then(() => this.#result(result, words));
    const ended = work.finally(() => this.#shown.withdraw(id));
    this.#earlier = ended.catch(() => undefined);
    this.#follow(ended);
  }

  /** Retains an utterance that is not transcribed now. */
  keep(run: SpeechRun, reason: string): void {
    this.#follow(this.#retain(this.requestOf(run), reason));
  }

  /** Where an utterance lies in time (wall clock, ms). */
  placeOf({ start, speechStart, speechEnd }: SpeechRun): SpeechPlace {
    const from = this.#options.wallOf(speechStart);
    const to = from + (speechEnd - speechStart) / samplesPerMs;
    return { speech: { from, to }, began: from - (speechStart - start) / samplesPerMs };
  }

  /** A request for the words of an utterance. */
  requestOf(run: SpeechRun): UtteranceRequest {
    const { language, origin, stream, user, voice } = this.#options;
    const { pcm, start } = run;
    return {
      id: this.#context.utteranceIds.next(),
      user,
      stream,
      pcm,
      start: start / coreRate,
      end: (start + pcm.length) / coreRate,
      language,
      origin: { ...origin(), ...voice, ...this.placeOf(run).speech },
    };
  }

  #follow(work: Promise<void>): void {
    const task = work.finally(() => this.#pending.delete(task));
    this.#pending.add(task);
  }

  /** @param earlier words keep their order: those of the utterances before may come later from another decoder. */
  async #transcribe(request: UtteranceRequest, place: NamedPlace, earlier: Promise<void>): Promise<void> {
    const connected = await this.#provider.connected();
    if (connected === null) return this.#retain(request, 'not_connected');
    if (isAudioStream(connected.stream)) return this.#retain(request, 'provider_changed');
    try {
      const result = await connected.stream.transcribe(request);
      await earlier;
      this.#result(result, place);
    } catch (thrown) {
      this.#context.metrics.add('utterances_failed_total');
      this.#options.log.error({ err: thrown }, 'provider is gone');
      const provider = connected.provider.name;
      this.#provider.fail({ outcome: 'upstream_error', provider, reason: 'connection_lost' });
      await this.#retain(request, 'provider_failed');
    }
  }

  async #retain(request: UtteranceRequest, reason: string): Promise<void> {
    await this.#context.retain(request, reason);
  }

  #result(result: UtteranceResult, { id, ended, ...place }: NamedPlace): void {
    const { clock, metrics } = this.#context;
    const { log, voice } = this.#options;
    const { outcome, provider, text, words = [] } = result;
    switch (outcome) {
      case 'expected_silence':
        return;
      case 'success':
        if (text !== '') {
          const waited = (clock.monotonic() - ended) / 1000;
          metrics.observe(`provider_final_words_seconds{provider="${providerLabel(provider)}"}`, waited);
          const label = this.#provider.listens() ? ({ unlabelled: true } as const) : {};
          this.#shown.transcribed({ id, text, ...voice, ...label, provider, ...timesOf(words, place) });
          return;
        }
        metrics.add('utterances_empty_total');
        return;
      case 'empty_unexpected':
        metrics.add('utterances_empty_total');
        return;
      default:
        metrics.add('utterances_failed_total');
        log.warn({ outcome, retained: result.retained }, 'utterance was not transcribed');
        // Retained audio is transcribed later; words that are gone must not go unnoticed.
        if (outcome === 'config_error' || isLost(result)) {
          this.#provider.fail({ outcome, provider, reason: 'connection_lost' });
        }
    }
  }
}
