import { randomUUID } from 'node:crypto';
import { coreRate, type Utterance } from '../audio/core.js';
import { providerLabel } from '../metrics/provider-metrics.js';
import { isAudioStream } from '../stt/connect-once.js';
import type { Provider, ProviderEvent, UtteranceRequest, UtteranceResult } from '../stt/provider.js';
import type { DeathReason } from '../stt/provider-error.js';
import { Agreement } from '../transcript/index.js';
import type { AudioNeed } from '../wire/audio-need.js';
import { speakerLabel } from '../wire/speaker-label.js';
import { within } from '../wire/within.js';
import { AudioFeed, type PlacedWords } from './audio-feed.js';
import { type EndedUtterance, type InterimRequest, InterimWords } from './interim-words.js';
import {
  type Connected,
  connectProvider,
  countDeath,
  failureOfDeath,
  isLost,
  type ProviderFailure,
} from './provider-link.js';
import { type SpeechPlace, timesOf } from './speech-place.js';
import type { SpokenSegment } from './transcript.js';
import type { TranscriptionContext, TranscriptionOptions } from './transcription-options.js';
import type { SpeechRun } from './unconfirmed-audio.js';

const samplesPerMs = coreRate / 1000;
/** Part of the time of `finish` in which a provider may tell its last words; the rest is for what has to be retained then. */
const answerShare = 0.75;
/** Audio that is kept for words to come, in multiples of the time in which a provider has to answer. */
const keptAnswers = 2;

/** Where an utterance lies in time, and the id of its segment. */
interface NamedPlace extends SpeechPlace {
  readonly id: string;
}

/** One stream's way through providers: its connection, and the speech that is on its way. */
export class Transcription {
  readonly #options: TranscriptionOptions;
  readonly #context: TranscriptionContext;
  readonly #pending = new Set<Promise<void>>();
  #connected: Promise<Connected | null> = Promise.resolve(null);
  /** The connection that serves now. */
  #serving: Connected | null = null;
  /** Present once a provider that takes audio, and not utterances, was chosen. */
  #feed: AudioFeed | null = null;
  #need: AudioNeed = 'utterances';
  readonly #interim: InterimWords;
  /** Ids under which words are shown that are not final. */
  readonly #shown = new Set<string>();
  /** Words of a provider of audio that are not final. */
  #open: { readonly id: string; readonly agreement: Agreement } | null = null;
  #failovers = 0;
  #failed = false;
  /** Why speech is retained once this has failed. */
  #failure = 'provider_failed';
  #finishing = false;

  constructor(options: TranscriptionOptions, context: TranscriptionContext) {
    this.#options = options;
    this.#context = context;
    this.#interim = new InterimWords({
      open: () => this.#options.openUtterance(),
      ask: (utterance) => this.#ask(utterance),
      show: (id, result, count, utterance) => this.#showUtterance(id, result, count, utterance),
      settled: context.providerRules.interimSettled,
    });
  }

  /** Speech whose words are not here yet. */
  get queued(): number {
    return this.#pending.size + (this.#feed?.waiting ?? 0);
  }

  /** Connects; speech may be handed in at once. @returns the name of the provider that serves, null when none does. */
  async connect(first: Provider): Promise<string | null> {
    this.#take(first.capabilities.audio);
    this.#connected = this.#connect(first, new Set());
    return (await this.#connected)?.provider.name ?? null;
  }

  /** Hands an utterance to the provider. */
  utterance(utterance: Utterance): void {
    const { pcm, start, speechStart, speechEnd } = utterance;
    this.#context.metrics.add('utterances_total');
    this.#offer({ pcm, start, speechStart, speechEnd }, this.#interim.end(utterance));
  }

  /** The open utterance has more speech, or pauses. */
  speechGoesOn(pauses: boolean): void {
    if (!this.#failed && !this.#finishing) this.#interim.due(pauses);
  }

  speechStarted(position: number): void {
    this.#feed?.speechStarted(position);
  }

  speechEnded(position: number): void {
    if (this.#need === 'utterances') return;
    this.#context.metrics.add('utterances_total');
    this.#feed?.speechEnded(position);
    if (this.#failed) this.#retainSpeech(this.#failure);
  }

  /** Audio that the core hands out. @param pcm owned by this from now on. */
  audio(position: number, pcm: Int16Array): void {
    this.#feed?.add(position, pcm);
  }

  /** Looks whether the provider still answers. Called often; cheap. */
  check(): void {
    const serving = this.#serving;
    const feed = this.#feed;
    if (serving === null || feed === null || this.#failed) return;
    const found = feed.check(this.#context.providerRules.answerTimeout);
    if (found === 'wordless') this.#context.metrics.add('utterances_empty_total');
    if (found === 'silent') this.#died(serving.provider, 'no_answer');
  }

  /** No more speech follows. Resolves when all words are here, or after `timeout` ms; never rejects. */
  async finish(timeout: number): Promise<void> {
    this.#finishing = true;
    const { log, metrics } = { ...this.#options, ...this.#context };
    const answered = this.#connected
      .then((connected) => this.#finishStream(connected, timeout * answerShare))
      .then(() => Promise.all(this.#pending))
      .catch((thrown: unknown) => log.warn({ err: thrown }, 'provider did not finish'));
    await within(answered, timeout, () => undefined);
    // Also what a stream holds that was never connected in this time.
    this.#retainSpeech('stream_ended');
    this.#feed?.detach();
    await within(Promise.all(this.#pending), timeout * (1 - answerShare), () => undefined);
    this.#withdrawAll();
    if (this.#pending.size === 0) return;
    metrics.add('utterances_abandoned_total', this.#pending.size);
    log.error({ utterances: this.#pending.size }, 'results did not come in time');
  }

  /** Retains all speech that comes from now on, and what has no words yet: the shard is about to end. */
  giveUp(reason: string): void {
    this.#failed = true;
    this.#failure = reason;
    this.#feed?.detach();
    this.#retainSpeech(reason);
  }

  /** Ms of audio that is kept here because speech in it has no words yet. */
  get held(): number {
    return (this.#feed?.held ?? 0) / samplesPerMs;
  }

  async #finishStream(connected: Connected | null, timeout: number): Promise<void> {
    if (connected === null) return;
    if (!isAudioStream(connected.stream)) return connected.stream.finish(timeout);
    if (await connected.stream.finish(timeout)) this.#feed?.confirmAll();
    else this.#retainSpeech('not_finished');
  }

  async #connect(first: Provider, exclude: ReadonlySet<string>): Promise<Connected | null> {
    const { choose, clock, health, metrics, providerRules } = this.#context;
    const { stream: id, user, language, wanted, log } = this.#options;
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
    this.#take(audio);
    if (audio === 'utterances') this.#options.watch(interim && providerRules.interimWords);
    if (isAudioStream(result.stream)) this.#feed?.attach(result.stream);
    return result;
  }

  /** Has the core hand out what a provider takes. Speech that another one had begun to take is handed on as utterances. */
  #take(need: AudioNeed): void {
    if (need === this.#need) return;
    this.#need = need;
    this.#options.handOut(need);
    if (need !== 'utterances') this.#feed ??= this.#createFeed();
    else for (const run of this.#feed?.takeSpeech() ?? []) this.#offer(run);
  }

  #createFeed(): AudioFeed {
    const { clock, providerRules } = this.#context;
    const { answerTimeout, idle, longestRun } = providerRules;
    return new AudioFeed({
      idle: idle * samplesPerMs,
      most: keptAnswers * answerTimeout * samplesPerMs,
      longestRun: longestRun * samplesPerMs,
      now: () => clock.monotonic(),
      observe: (words, milliseconds) => this.#observe(words, milliseconds),
      giveOut: (run, reason) => this.#keep(run, reason),
    });
  }

  #observe(words: 'first' | 'final', milliseconds: number): void {
    if (this.#serving === null) return;
    const family = words === 'first' ? 'provider_first_word_seconds' : 'provider_final_words_seconds';
    const label = providerLabel(this.#serving.provider.name);
    this.#context.metrics.observe(`${family}{provider="${label}"}`, milliseconds / 1000);
  }

  #event(event: ProviderEvent, provider: Provider): void {
    // Events of a connection that was given up.
    if (this.#serving?.provider !== provider) return;
    switch (event.kind) {
      case 'interim':
        this.#showWords(this.#feed?.interim(event), provider);
        return;
      case 'final': {
        const words = this.#feed?.final(event) ?? null;
        if (words === null) this.#context.metrics.add('provider_finals_dropped_total');
        else if (words.text !== '') this.#words(words, provider);
        this.#context.metrics.add(`provider_finals_total{provider="${providerLabel(provider.name)}"}`);
        return;
      }
      case 'death':
        this.#died(provider, event.reason);
    }
  }

  #words(words: PlacedWords, provider: Provider): void {
    const id = this.#open?.id ?? randomUUID();
    this.#open = null;
    this.#shown.delete(id);
    this.#options.emit({ kind: 'transcribed', segment: this.#segmentOf(id, words, provider) });
  }

  /** Words of a provider of audio that may change. */
  #showWords(words: PlacedWords | undefined, provider: Provider): void {
    if (words === undefined || !this.#context.providerRules.interimWords) return;
    this.#open ??= { id: randomUUID(), agreement: new Agreement() };
    const spoken = words.text.split(/\s+/u).filter((word) => word !== '');
    const count = this.#open.agreement.take(spoken, false);
    if (count === undefined) return;
    const text = spoken.slice(0, count).join(' ');
    this.#show(this.#segmentOf(this.#open.id, { ...words, text }, provider));
  }

  #segmentOf(id: string, { text, from, to, speaker }: PlacedWords, provider: Provider): SpokenSegment {
    const { voice, wallOf } = this.#options;
    const spoken =
      speaker === undefined || !provider.capabilities.diarizes
        ? voice
        : { ...voice, speaker: speakerLabel(speaker), speakerId: speaker };
    return { id, text, ...spoken, provider: provider.name, from: wallOf(from), to: wallOf(to) };
  }

  /** Has an utterance transcribed that goes on. */
  #ask(utterance: Utterance): InterimRequest | undefined {
    const stream = this.#serving?.stream;
    if (stream === undefined || isAudioStream(stream)) return undefined;
    const request: UtteranceRequest = { ...this.#requestOf(utterance), interim: true };
    this.#context.metrics.add('interim_requests_total');
    return { id: request.id, result: stream.transcribe(request) };
  }

  #showUtterance(id: string, result: UtteranceResult, count: number, utterance: Utterance): void {
    const { voice } = this.#options;
    const { provider, words = [] } = result;
    const place = this.#placeOf(utterance);
    const text = result.text.split(' ').slice(0, count).join(' ');
    const label = this.#listens ? ({ unlabelled: true } as const) : {};
    this.#show({ id, text, ...voice, ...label, provider, ...timesOf(words.slice(0, count), place) });
  }

  #show(segment: SpokenSegment): void {
    if (this.#failed || this.#finishing) return;
    this.#shown.add(segment.id);
    this.#options.emit({ kind: 'provisional', segment });
  }

  /** What is shown under an id has no final words: it is taken back. */
  #withdraw(id: string): void {
    if (this.#shown.delete(id)) this.#options.emit({ kind: 'withdrawn', id });
  }

  #withdrawAll(): void {
    for (const id of this.#shown) this.#withdraw(id);
    this.#open = null;
  }

  /** The connection that served is of no use any more: another provider takes over, or the stream fails. */
  #died(provider: Provider, reason: DeathReason): void {
    if (this.#failed || this.#serving === null) return;
    const { choose, health, metrics, providerRules } = this.#context;
    const { language, log, wanted } = this.#options;
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
    this.#context.metrics.add('provider_failovers_total');
    this.#connected = this.#connect(next, exclude);
  }

  /** @param known of its words, where it was transcribed while it went on. */
  #offer(run: SpeechRun, known: EndedUtterance = { id: randomUUID() }): void {
    const { id, instead, result } = known;
    const request = { ...this.#requestOf(run), ...(instead === undefined ? {} : { instead }) };
    const words = { ...this.#placeOf(run), id };
    if (!this.#failed && this.#listens) this.#options.listen!(run.pcm, words.began);
    if (instead !== undefined || result !== undefined) this.#context.metrics.add('interim_reused_total');
    // What was spoken until the socket is closed was accepted, too.
    const work = this.#failed
      ? this.#retain(request, this.#failure)
      : result === undefined
        ? this.#transcribe(request, words)
        : // Words keep their order: those of the utterances before may be on their way.
          Promise.allSettled(this.#pending).then(() => this.#result(result, words));
    this.#follow(work.finally(() => this.#withdraw(id)));
  }

  /** Whether the voices of utterances are to be told apart here. */
  get #listens(): boolean {
    return this.#options.listen !== undefined && this.#serving?.provider.capabilities.diarizes !== true;
  }

  #placeOf({ start, speechStart, speechEnd }: SpeechRun): SpeechPlace {
    const from = this.#options.wallOf(speechStart);
    const to = from + (speechEnd - speechStart) / samplesPerMs;
    return { speech: { from, to }, began: from - (speechStart - start) / samplesPerMs };
  }

  #keep(run: SpeechRun, reason: string): void {
    this.#follow(this.#retain(this.#requestOf(run), reason));
  }

  #retainSpeech(reason: string): void {
    for (const run of this.#feed?.takeSpeech() ?? []) this.#keep(run, reason);
  }

  #follow(work: Promise<void>): void {
    const task = work.finally(() => this.#pending.delete(task));
    this.#pending.add(task);
  }

  #requestOf(run: SpeechRun): UtteranceRequest {
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
      origin: { ...origin(), ...voice, ...this.#placeOf(run).speech },
    };
  }

  async #transcribe(request: UtteranceRequest, place: NamedPlace): Promise<void> {
    const connected = await this.#connected;
    if (connected === null) return this.#retain(request, 'not_connected');
    if (isAudioStream(connected.stream)) return this.#retain(request, 'provider_changed');
    try {
      this.#result(await connected.stream.transcribe(request), place);
    } catch (thrown) {
      this.#context.metrics.add('utterances_failed_total');
      this.#options.log.error({ err: thrown }, 'provider is gone');
      const provider = connected.provider.name;
      this.#fail({ outcome: 'upstream_error', provider, reason: 'connection_lost' });
      await this.#retain(request, 'provider_failed');
    }
  }

  async #retain(request: UtteranceRequest, reason: string): Promise<void> {
    await this.#context.retain(request, reason);
  }

  #result(result: UtteranceResult, { id, ...place }: NamedPlace): void {
    const { metrics } = this.#context;
    const { emit, log, voice } = this.#options;
    const { outcome, provider, text, words = [] } = result;
    const label = this.#listens ? ({ unlabelled: true } as const) : {};
    switch (outcome) {
      case 'expected_silence':
        return;
      case 'success':
        if (text !== '') {
          this.#shown.delete(id);
          emit({
            kind: 'transcribed',
            segment: { id, text, ...voice, ...label, provider, ...timesOf(words, place) },
          });
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
          this.#fail({ outcome, provider, reason: 'connection_lost' });
        }
    }
  }

  #fail(failure: ProviderFailure): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#context.metrics.add('provider_failures_total');
    this.#retainSpeech('provider_failed');
    this.#withdrawAll();
    this.#options.emit({ kind: 'failed', failure });
  }
}
