import { randomUUID } from 'node:crypto';
import { coreRate } from '../../audio/interface/index.js';
import { modelCounter, providerLabel } from '../../metrics/index.js';
import { isAudioStream } from '../../stt/providers/index.js';
import type { UtteranceRequest, UtteranceResult, UtteranceStream } from '../../stt/shared/index.js';
import type { AwaitedSpeech } from '../positions/index.js';
import { VoicePieces } from '../voices/index.js';
import { logAnswer } from './answer-log.js';
import type { EndedUtterance } from './interim-words.js';
import type { TranscriptionContext, TranscriptionOptions } from './options.js';
import { type Connected, isLost, type ProviderFailure } from './provider-link.js';
import type { ShownWords } from './shown-words.js';
import { type SpeechPlace, timesOf } from './speech-place.js';
import type { StreamLanguage } from './stream-language.js';
import type { SpeechRun } from './unconfirmed-audio.js';

const samplesPerMs = coreRate / 1000;

/** The times of an utterance, and the id of its segment. */
interface NamedPlace extends SpeechPlace, Pick<UtteranceRequest, 'start' | 'end'> {
  readonly id: string;
  readonly run: Pick<SpeechRun, 'start' | 'speechStart' | 'speechEnd'>;
  /** Monotonic time (ms) at which the gate reported the end of the utterance. */
  readonly ended: number;
  /** The speech on the device's clock; undefined if the client does not use positions. */
  readonly awaited: AwaitedSpeech | undefined;
}

/** State and operations of the stream's provider that are needed to process utterances. */
export interface UtteranceProvider {
  /** Resolves with the current connection as soon as it exists; null if no provider could be connected. */
  readonly connected: () => Promise<Connected | null>;
  /** Whether the engine diarizes the stream. */
  readonly listens: () => boolean;
  /** The reason for retaining speech if no provider serves any more; otherwise null. */
  readonly failed: () => string | null;
  /**
   * Returns the language of a stream with `language=multi` whose provider takes utterances. Null for other streams, and
   * before a provider is connected.
   */
  readonly language: () => StreamLanguage | null;
  /** Reports that the provider can no longer serve. */
  readonly fail: (failure: ProviderFailure) => void;
}

/** Processes the utterances of one stream until they have words or are retained. */
export class UtteranceWork {
  readonly #pending = new Set<Promise<void>>();
  readonly #pieces = new VoicePieces();
  /** Resolves when all earlier utterances have words or are retained. Never rejects. */
  #earlier: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: TranscriptionOptions,
    private readonly context: TranscriptionContext,
    private readonly shown: ShownWords,
    private readonly provider: UtteranceProvider,
  ) {}

  /** Number of utterances in progress. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Resolves when all utterances that are now in progress are finished. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /**
   * Sends new audio of the utterance to diarization, if the engine diarizes the stream. @param ended whether the
   * utterance has ended.
   */
  listen(run: SpeechRun, ended: boolean): void {
    if (!this.provider.listens()) return;
    const piece = this.#pieces.take(run, this.placeOf(run).began, ended);
    if (piece !== undefined) this.options.listen!(piece);
  }

  /** Transcribes an utterance. @param known words of the utterance that were found or requested while it was open. */
  offer(given: SpeechRun, known: EndedUtterance = { id: randomUUID() }): void {
    const { positions } = this.options;
    const run = positions === undefined ? given : positions.unskipped(given);
    if (run === undefined) {
      this.shown.withdraw(known.id);
      return;
    }
    // The known words are of the complete utterance. They are not used if a part of the utterance is skipped.
    const { id, instead, result }: EndedUtterance = run === given ? known : { id: known.id };
    const request = { ...this.requestOf(run), ...(instead === undefined ? {} : { instead }) };
    const { start, end } = request;
    const now = this.context.clock.monotonic();
    const awaited = positions?.await(run);
    const { speechStart, speechEnd } = run;
    const spoken = { start: run.start, speechStart, speechEnd };
    const words = { ...this.placeOf(run), start, end, id, run: spoken, ended: now, awaited };
    const failed = this.provider.failed();
    if (failed === null) this.listen(run, true);
    if (instead !== undefined || result !== undefined) this.context.metrics.add('interim_reused_total');
    // The client expects that no accepted speech is lost, so speech after a failure is retained.
    const work =
      failed !== null
        ? this.#retainAtEnd(request, failed)
        : result === undefined
          ? this.#transcribe(request, words, this.#earlier)
          : this.#earlier.then(() => this.#reuse(result, request, words, now));
    const ended = this.#settle(work, awaited).finally(() => this.shown.withdraw(id));
    this.#earlier = ended.catch(() => undefined);
    this.#follow(ended);
  }

  /** Retains an utterance that is not transcribed now. */
  keep(run: SpeechRun, reason: string): void {
    this.#follow(this.#settle(this.#retain(this.requestOf(run), reason), this.options.positions?.await(run)));
  }

  /**
   * Ends the wait for the words of speech, unless the words are lost.
   * @param work resolves with false if the words are lost, and with true if they are known or the audio is retained.
   */
  async #settle(work: Promise<boolean>, awaited: AwaitedSpeech | undefined): Promise<void> {
    if ((await work) && awaited !== undefined) this.options.positions!.settle(awaited);
  }

  /** Returns the times of an utterance (wall clock, ms). They may still become earlier. */
  placeOf(run: NamedPlace['run'], wallOf = this.options.wallOf): SpeechPlace {
    const { start, speechStart, speechEnd } = run;
    const from = wallOf(speechStart);
    const to = wallOf(speechEnd);
    return { speech: { from, to }, began: from - (speechStart - start) / samplesPerMs };
  }

  /** Creates a request for the words of an utterance. */
  requestOf(run: SpeechRun): UtteranceRequest {
    const { language, origin, positions, stream, user, voice } = this.options;
    const { pcm, start, probability } = run;
    const keywords = this.options.keywords();
    return {
      id: this.context.utteranceIds.next(),
      user,
      stream,
      pcm,
      start: start / coreRate,
      end: (start + pcm.length) / coreRate,
      language,
      ...(probability === undefined ? {} : { detected: probability }),
      ...this.#languages(),
      ...(keywords.length === 0 ? {} : { keywords }),
      ...(positions === undefined ? {} : { resends: true as const }),
      origin: { ...origin(), ...voice, ...this.placeOf(run).speech },
    };
  }

  #follow(work: Promise<void>): void {
    const task = work.finally(() => this.#pending.delete(task));
    this.#pending.add(task);
  }

  /**
   * Returns the fields of a request about languages; no fields if the engine does not detect the language of the
   * stream.
   */
  #languages(): Partial<Pick<UtteranceRequest, 'language' | 'languages'>> {
    const spoken = this.provider.language();
    return spoken === null ? {} : { language: spoken.current, languages: spoken.languages };
  }

  /** Emits words that were requested while the utterance was open. @returns the same value as `#result`. */
  async #reuse(
    result: UtteranceResult,
    request: UtteranceRequest,
    place: NamedPlace,
    answered: number,
  ): Promise<boolean> {
    const connected = await this.provider.connected();
    const stream = connected !== null && !isAudioStream(connected.stream) ? connected.stream : undefined;
    const used = await this.#inItsLanguage(result, request, place, stream);
    // Counts only a reused result. Any other result was counted when its request was answered.
    const counter = used === result ? modelCounter(result.model ?? '') : undefined;
    if (counter !== undefined) this.context.metrics.add(counter);
    return this.#result(used, place, answered);
  }

  /**
   * Requests the words of an utterance and emits them. @param earlier resolves when the previous utterances are
   * finished. Waiting for it keeps words in order when decoders run in parallel.
   * @returns the same value as `#result`.
   */
  async #transcribe(given: UtteranceRequest, place: NamedPlace, earlier: Promise<void>): Promise<boolean> {
    const connected = await this.provider.connected();
    // The language may have changed since the utterance ended.
    const request = { ...given, ...this.#languages() };
    if (connected === null) return this.#retainAtEnd(request, 'not_connected');
    const { stream } = connected;
    if (isAudioStream(stream)) return this.#retain(request, 'provider_changed');
    // The provider owns the samples of a request, so a second request needs a copy.
    const mayRepeat = (request.languages?.length ?? 0) > 1;
    const again = mayRepeat ? { ...request, pcm: request.pcm.slice() } : request;
    try {
      const result = await stream.transcribe(request);
      const answered = this.context.clock.monotonic();
      await earlier;
      return this.#result(await this.#inItsLanguage(result, again, place, stream), place, answered);
    } catch (thrown) {
      this.context.metrics.add('utterances_failed_total');
      this.options.log.error({ err: thrown }, 'provider failed at an utterance');
      const provider = connected.provider.name;
      this.provider.fail({ outcome: 'upstream_error', provider, reason: 'connection_lost' });
      return this.#retainAtEnd(request, 'provider_failed');
    }
  }

  /**
   * Adds the languages of a result to those of the stream. The language of the utterance may differ from the language
   * in which it was decoded. If so, the utterance is decoded once more, in its own language.
   * @param request a request that owns its samples, so that it can be sent again.
   * @returns the result in the language of the utterance.
   */
  async #inItsLanguage(
    result: UtteranceResult,
    request: UtteranceRequest,
    { speech }: NamedPlace,
    stream: UtteranceStream | undefined,
  ): Promise<UtteranceResult> {
    const spoken = this.provider.language();
    // Audio without words is noise, so its languages do not count.
    if (spoken === null || result.outcome !== 'success') return result;
    const { metrics, utteranceIds } = this.context;
    const before = spoken.current;
    const language = spoken.detect({ shares: result.languages, seconds: (speech.to - speech.from) / 1000 });
    if (spoken.current !== before) metrics.add('stream_language_changes_total');
    if (language === (result.language ?? request.language) || stream === undefined) return result;
    metrics.add('utterances_other_language_total');
    const { instead: _answered, ...plain } = request;
    const repeated = await stream.transcribe({ ...plain, id: utteranceIds.next(), language });
    return isLost(repeated) ? result : repeated;
  }

  /** Retains an utterance. If that fails, a device that uses positions has to send it again. @returns whether it is stored. */
  async #retain(request: UtteranceRequest, reason: string): Promise<boolean> {
    if ((await this.context.retain(request, reason)) !== undefined) return true;
    if (this.options.positions !== undefined) await this.#failForResending();
    return false;
  }

  /** Reports a lost connection, so that the device opens another stream and sends again what is not stored. */
  async #failForResending(): Promise<void> {
    const connected = await this.provider.connected();
    if (connected === null) return;
    const provider = connected.provider.name;
    this.provider.fail({ outcome: 'upstream_error', provider, reason: 'connection_lost' });
  }

  /**
   * Retains an utterance of a stream that ends. If the device uses positions, nothing is retained, because the device
   * sends the utterance again.
   */
  async #retainAtEnd(request: UtteranceRequest, reason: string): Promise<boolean> {
    return this.options.positions === undefined && this.#retain(request, reason);
  }

  /**
   * Emits the words of an utterance. @param answered monotonic time (ms) at which the words were known.
   * @returns whether the words are known, or the audio is retained.
   */
  #result(
    result: UtteranceResult,
    { id, run, ended, awaited, start, end }: NamedPlace,
    answered: number,
  ): boolean {
    const { clock, metrics } = this.context;
    const { log, tellWall, voice } = this.options;
    logAnswer(log, { start, end }, result, { asked: ended, answered, used: clock.monotonic() });
    const { outcome, provider, model, text, words = [] } = result;
    switch (outcome) {
      case 'expected_silence':
        return true;
      case 'success':
        if (text !== '') {
          const waited = (clock.monotonic() - ended) / 1000;
          metrics.observe(`provider_final_words_seconds{provider="${providerLabel(provider)}"}`, waited);
          const label = this.provider.listens() ? ({ unlabelled: true } as const) : {};
          const spoken = this.provider.language() === null ? undefined : result.language;
          const language = spoken === undefined ? {} : { language: spoken };
          const times = timesOf(words, this.placeOf(run, tellWall));
          const segment = { id, text, ...voice, ...label, ...language, provider, model, ...times };
          const pass = (): void => this.shown.transcribed(segment);
          if (awaited === undefined) pass();
          else this.options.positions!.say(pass, awaited);
          return true;
        }
        metrics.add('utterances_empty_total');
        return true;
      case 'empty_unexpected':
        metrics.add('utterances_empty_total');
        return true;
      default:
        metrics.add('utterances_failed_total');
        log.warn({ outcome, retained: result.retained }, 'utterance was not transcribed');
        // Retained audio is transcribed later, so only lost words and wrong configuration must be reported.
        if (outcome === 'config_error' || isLost(result)) {
          this.provider.fail({ outcome, provider, reason: 'connection_lost' });
        }
        return result.retained !== undefined;
    }
  }
}
