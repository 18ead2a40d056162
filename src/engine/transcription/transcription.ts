import { coreRate, type StreamStatus, type Utterance } from '../../audio/interface/index.js';
import { within } from '../../common/index.js';
import { providerLabel } from '../../metrics/index.js';
import { isAudioStream } from '../../stt/providers/index.js';
import type { DeathReason, Provider, ProviderEvent, UtteranceRequest } from '../../stt/shared/index.js';
import { type AudioNeed, automaticLanguage } from '../../wire/index.js';
import { logInterim } from './answer-log.js';
import { AudioFeed, type PlacedWords } from './audio-feed.js';
import { type InterimRequest, InterimWords } from './interim-words.js';
import type { TranscriptionContext, TranscriptionOptions } from './options.js';
import {
  type Connected,
  connectProvider,
  countDeath,
  failureOfDeath,
  type ProviderFailure,
} from './provider-link.js';
import { ShownWords } from './shown-words.js';
import { StreamLanguage } from './stream-language.js';
import { UtteranceWork } from './utterance-work.js';

const samplesPerMs = coreRate / 1000;
/**
 * Share of the timeout of `finish` that the provider may use for its last words. The rest of the timeout is for
 * retaining speech that has no words yet.
 */
const answerShare = 0.75;
/** Length of the audio that is kept while words are awaited, in multiples of `answerTimeout`. */
const keptAnswers = 2;

/** Transcribes one stream. It owns the connection to a provider, and knows which speech has no words yet. */
export class Transcription {
  #connected: Promise<Connected | null> = Promise.resolve(null);
  /** The current connection; null if none serves. */
  #serving: Connected | null = null;
  /** Sends audio to a provider that takes audio instead of utterances; null until such a provider was chosen. */
  #feed: AudioFeed | null = null;
  #need: AudioNeed = 'utterances';
  /** See `UtteranceProvider.language`. */
  #language: StreamLanguage | null = null;
  readonly #interim: InterimWords;
  readonly #shown: ShownWords;
  readonly #utterances: UtteranceWork;
  /** Whether words of open utterances are shown. */
  #showsInterim = false;
  #failovers = 0;
  #failed = false;
  /** Reason that is recorded with speech retained after a failure. */
  #failure = 'provider_failed';
  #finishing = false;
  #isAbandoned = false;

  constructor(
    private readonly options: TranscriptionOptions,
    private readonly context: TranscriptionContext,
  ) {
    this.#shown = new ShownWords(options, {
      interimWords: context.providerRules.interimWords,
      ended: () => this.#failed || this.#finishing,
    });
    this.#utterances = new UtteranceWork(options, context, this.#shown, {
      connected: () => this.#connected,
      listens: () => this.#listens,
      failed: () => (this.#failed ? this.#failure : null),
      language: () => this.#language,
      fail: (failure) => this.#fail(failure),
    });
    this.#interim = new InterimWords({
      ask: (utterance, pauses) => this.#ask(utterance, pauses),
      show: (id, result, count, utterance) =>
        this.#shown.utterance(
          { id, result, count, place: this.#utterances.placeOf(utterance) },
          this.#listens,
        ),
      withdraw: (id) => this.#shown.withdraw(id),
      settled: context.providerRules.interimSettled,
      whole: context.providerRules.interimWhole,
    });
  }

  /** Number of utterances that have no words yet. */
  get queued(): number {
    return this.#utterances.pending + (this.#feed?.waiting ?? 0);
  }

  /**
   * Connects to a provider. Speech may be added before this resolves. @returns the name of the provider, or null if
   * none is available.
   */
  async connect(first: Provider): Promise<string | null> {
    this.#take(first.capabilities.audio);
    this.#connected = this.#connect(first, new Set());
    return (await this.#connected)?.provider.name ?? null;
  }

  /** Sends an utterance to the provider. */
  utterance(utterance: Utterance): void {
    const { pcm, start, speechStart, speechEnd, probability } = utterance;
    this.context.metrics.add('utterances_total');
    this.#utterances.offer({ pcm, start, speechStart, speechEnd, probability }, this.#interim.end(utterance));
  }

  /** Requests the words of the open utterance, because more speech or a pause has followed. */
  speechGoesOn(pauses: boolean): void {
    const utterance = this.options.openUtterance();
    if (this.#failed || utterance === undefined) return;
    this.#utterances.listen(utterance, false);
    if (!this.#finishing && this.#showsInterim) this.#interim.due(utterance, pauses);
  }

  speechStarted(position: number): void {
    this.#feed?.speechStarted(position);
  }

  speechEnded(position: number): void {
    if (this.#need === 'utterances') return;
    this.context.metrics.add('utterances_total');
    this.#feed?.speechEnded(position);
    if (this.#failed) this.#retainSpeech(this.#failure);
  }

  /** Adds audio that the core returned. @param pcm owned by this object from now on. */
  audio(position: number, pcm: Int16Array): void {
    const { positions } = this.options;
    const piece = positions === undefined ? { position, pcm } : positions.unskippedPiece(position, pcm);
    if (piece !== undefined) this.#feed?.add(piece.position, piece.pcm);
  }

  /**
   * Returns the position before which no speech is open or undetected. Speech that already awaits its words may lie
   * before this position.
   * @param status of the track's stream in the core.
   */
  bound({ decided, needed }: Pick<StreamStatus, 'decided' | 'needed'>): number {
    if (this.#need === 'utterances' || this.#feed === null) return needed;
    return this.#feed.bound(decided, needed);
  }

  /**
   * Gives up the speech that has no words yet, because the device sends it again. Utterances that were already sent to
   * the provider still get their words.
   */
  abandon(): void {
    this.#isAbandoned = true;
    this.#feed?.detach();
  }

  /** Checks whether the provider still responds. Called often, so it must be cheap. */
  check(): void {
    const serving = this.#serving;
    const feed = this.#feed;
    if (serving === null || feed === null || this.#failed) return;
    const found = feed.check(this.context.providerRules.answerTimeout);
    if (found === 'wordless') this.context.metrics.add('utterances_empty_total');
    if (found === 'silent') this.#died(serving.provider, 'no_answer');
  }

  /**
   * Ends the stream after its last speech. Resolves when all words have arrived or `timeout` ms have passed. Never
   * rejects.
   */
  async finish(timeout: number): Promise<void> {
    this.#finishing = true;
    const { log, metrics } = { ...this.options, ...this.context };
    const answered = this.#connected
      .then((connected) => this.#finishStream(connected, timeout * answerShare))
      .then(() => this.#utterances.settled())
      .catch((thrown: unknown) => log.warn({ err: thrown }, 'provider did not finish'));
    await within(answered, timeout, () => undefined);
    // Also retains the speech of a stream that never had a connection.
    this.#retainSpeech('stream_ended');
    this.#feed?.detach();
    await within(this.#utterances.settled(), timeout * (1 - answerShare), () => undefined);
    this.#shown.withdrawAll();
    const left = this.#utterances.pending;
    if (left === 0) return;
    metrics.add('utterances_abandoned_total', left);
    log.error({ utterances: left }, 'utterances have no words after the timeout');
  }

  /**
   * Stops transcribing because the shard is about to end. Speech that has no words yet and all later speech are
   * retained, unless the client uses positions and sends them again.
   */
  giveUp(reason: string): void {
    this.#failed = true;
    this.#failure = reason;
    this.#feed?.detach();
    this.#retainSpeech(reason);
  }

  /** Length in ms of the audio that is kept here because its speech has no words yet. */
  get held(): number {
    return (this.#feed?.held ?? 0) / samplesPerMs;
  }

  async #finishStream(connected: Connected | null, timeout: number): Promise<void> {
    if (connected === null || (this.#isAbandoned && isAudioStream(connected.stream))) return;
    if (!isAudioStream(connected.stream)) return connected.stream.finish(timeout);
    if (await connected.stream.finish(timeout)) this.#feed?.confirmAll();
    else this.#retainSpeech('not_finished');
  }

  async #connect(first: Provider, exclude: ReadonlySet<string>): Promise<Connected | null> {
    const { choose, clock, health, metrics, providerRules } = this.context;
    const { stream: id, user, language, wanted, log } = this.options;
    const { connectTimeout } = providerRules;
    const emit = (event: ProviderEvent, provider: Provider): void => this.#event(event, provider);
    const request = { id, user, language, wanted, exclude, emit, log };
    const result = await connectProvider(first, request, {
      choose,
      clock,
      health,
      metrics,
      connectTimeout,
    });
    if (!('stream' in result)) {
      this.#fail(result);
      return null;
    }
    this.#serving = result;
    const { audio, interim } = result.provider.capabilities;
    if (audio === 'utterances') await this.#detectLanguages();
    // During the `await`, the connection may have died, and a different connection may serve.
    if (this.#serving !== result) return result;
    this.#take(audio);
    this.#showsInterim = interim && providerRules.interimWords;
    if (audio === 'utterances') this.options.watch(this.#showsInterim || this.#listens);
    if (isAudioStream(result.stream)) this.#feed?.attach(result.stream);
    else this.options.linger(result.stream.longSilence === true);
    return result;
  }

  /**
   * Starts to detect the language of a stream with `multi`. A provider that takes utterances gets a language with each
   * utterance.
   */
  async #detectLanguages(): Promise<void> {
    if (this.options.language !== automaticLanguage || this.#language !== null) return;
    const languages = await this.options.candidates();
    if (languages.length > 0) this.#language = new StreamLanguage(languages);
  }

  /**
   * Makes the core return the kind of audio that the provider takes. If the provider takes utterances, it also gets the
   * speech that an earlier provider did not transcribe, as utterances.
   */
  #take(need: AudioNeed): void {
    if (need === this.#need) return;
    this.#need = need;
    this.options.handOut(need);
    if (need !== 'utterances') this.#feed ??= this.#createFeed();
    else for (const run of this.#feed?.takeSpeech() ?? []) this.#utterances.offer(run);
  }

  /** Whether the engine diarizes this stream; false if the provider diarizes. */
  get #listens(): boolean {
    return this.options.listen !== undefined && this.#serving?.provider.capabilities.diarizes !== true;
  }

  #createFeed(): AudioFeed {
    const { clock, providerRules } = this.context;
    const { answerTimeout, idle, longestRun } = providerRules;
    return new AudioFeed({
      idle: idle * samplesPerMs,
      most: keptAnswers * answerTimeout * samplesPerMs,
      longestRun: longestRun * samplesPerMs,
      now: () => clock.monotonic(),
      observe: (words, milliseconds) => this.#observe(words, milliseconds),
      giveOut: (run, reason) => this.#utterances.keep(run, reason),
    });
  }

  #observe(words: 'first' | 'final', milliseconds: number): void {
    if (this.#serving === null) return;
    const family = words === 'first' ? 'provider_first_word_seconds' : 'provider_final_words_seconds';
    const label = providerLabel(this.#serving.provider.name);
    this.context.metrics.observe(`${family}{provider="${label}"}`, milliseconds / 1000);
  }

  #event(event: ProviderEvent, provider: Provider): void {
    // Ignores events of a connection that was given up.
    if (this.#serving?.provider !== provider) return;
    switch (event.kind) {
      case 'interim':
        this.#shown.interim(this.#feed?.interim(event), provider);
        return;
      case 'final': {
        const words = this.#feed?.final(event) ?? null;
        if (words === null) this.context.metrics.add('provider_finals_dropped_total');
        else if (words.text !== '') this.#pass(words, provider);
        this.context.metrics.add(`provider_finals_total{provider="${providerLabel(provider.name)}"}`);
        return;
      }
      case 'silence':
        this.options.linger(event.long);
        return;
      case 'malformed':
        this.context.metrics.add(`provider_malformed_total{provider="${providerLabel(provider.name)}"}`);
        return;
      case 'death':
        this.#died(provider, event.reason);
    }
  }

  /** Emits final words as soon as the words of all earlier speech are emitted. */
  #pass(words: PlacedWords, provider: Provider): void {
    const { positions } = this.options;
    const pass = (): void => this.#shown.final(words, provider);
    if (positions === undefined) pass();
    else positions.sayNext(pass, words.to);
  }

  /** Requests the words of an open utterance. @param settles whether they become final if no speech follows. */
  #ask(utterance: Utterance, settles: boolean): InterimRequest | undefined {
    const stream = this.#serving?.stream;
    if (stream === undefined || isAudioStream(stream)) return undefined;
    const request: UtteranceRequest = {
      ...this.#utterances.requestOf(utterance),
      interim: true,
      ...(settles ? { settles } : {}),
    };
    this.context.metrics.add('interim_requests_total');
    const result = stream.transcribe(request);
    logInterim(this.options.log, request, result, this.context.clock);
    return { id: request.id, result };
  }

  /** Handles the death of the current connection. Another provider takes over, or the stream fails. */
  #died(provider: Provider, reason: DeathReason): void {
    if (this.#failed || this.#serving === null) return;
    const { choose, health, metrics, providerRules } = this.context;
    const { language, log, wanted } = this.options;
    log.warn({ provider: provider.name, reason }, 'provider died');
    health.died(provider.name, reason);
    countDeath(metrics, provider.name, reason);
    this.#serving = null;
    this.#feed?.detach();
    const exclude = new Set([provider.name]);
    const mayFailOver =
      this.#failovers < providerRules.failovers && this.#need !== 'utterances' && !this.#finishing;
    const next = mayFailOver ? choose(language, wanted, exclude) : null;
    if (next === null) {
      this.#fail(failureOfDeath(provider.name, reason));
      return;
    }
    this.#failovers++;
    this.context.metrics.add('provider_failovers_total');
    this.#connected = this.#connect(next, exclude);
  }

  #retainSpeech(reason: string): void {
    // A device that uses positions sends again what was not stored when its stream failed, so nothing is retained.
    if (this.#isAbandoned || (this.#failed && this.options.positions !== undefined)) return;
    for (const run of this.#feed?.takeSpeech() ?? []) this.#utterances.keep(run, reason);
  }

  #fail(failure: ProviderFailure): void {
    if (this.#failed) return;
    this.#failed = true;
    this.context.metrics.add('provider_failures_total');
    this.#retainSpeech('provider_failed');
    this.#shown.withdrawAll();
    this.options.emit({ kind: 'failed', failure });
  }
}
