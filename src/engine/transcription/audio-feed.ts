import type { AudioStream, ProviderWords } from '../../stt/shared/index.js';
import { AudioTimeline } from './audio-timeline.js';
import { type AudioPiece, type SpeechRun, UnconfirmedAudio } from './unconfirmed-audio.js';

/** Final words with their position on the stream's clock, in samples at 16 kHz. */
export interface PlacedWords {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly speaker: number | undefined;
}

export interface AudioFeedOptions {
  /**
   * Number of samples of silence that are kept. Speech is announced some time after it began, so its beginning may lie
   * in this silence.
   */
  readonly idle: number;
  /** Maximum number of samples that are kept while words are awaited. */
  readonly most: number;
  /** Maximum number of samples of one run of speech in `takeSpeech` and `giveOut`. */
  readonly longestRun: number;
  readonly now: () => number;
  /**
   * Called with the latency of words in ms. `first` counts from the announcement of speech, `final` from the
   * announcement of its end.
   */
  readonly observe: (words: 'first' | 'final', milliseconds: number) => void;
  /** Called with speech to retain, because the feed no longer awaits its words. */
  readonly giveOut: (run: SpeechRun, reason: 'queue_full' | 'too_late') => void;
}

/** Number of final results that are remembered, to detect results that a provider sends twice. */
const remembered = 64;

/**
 * Sends the audio of one stream to a provider, and keeps it until its words have arrived. After a failure of the
 * connection, the audio is sent over the next connection or returned to the owner. The owner attaches the
 * connections.
 */
export class AudioFeed {
  readonly #unconfirmed: UnconfirmedAudio;
  #timeline = new AudioTimeline();
  #stream: AudioStream | null = null;
  /**
   * Position before which words are dropped. An earlier connection sent these words already, or their audio was
   * handed to `giveOut`.
   */
  #floor = 0;
  #finals: string[] = [];
  /**
   * Monotonic time (ms) at which the provider last sent words. Before its first words: the time at which the connection
   * was attached.
   */
  #lastSign = 0;
  /**
   * Monotonic time (ms) at which the oldest speech without any words was announced; null if there is none.
   * Provisional words count as words.
   */
  #awaitedSince: number | null = null;
  /** Whether the provider's queue had no space for some audio. */
  #isBehind = false;

  constructor(private readonly options: AudioFeedOptions) {
    this.#unconfirmed = new UnconfirmedAudio(options.idle);
  }

  get waiting(): number {
    return this.#unconfirmed.waiting;
  }

  /** Number of samples kept because their speech awaits words; 0 if no speech awaits words. */
  get held(): number {
    return this.#unconfirmed.oldest === undefined ? 0 : this.#unconfirmed.samples;
  }

  /**
   * Returns the position before which this feed awaits no words. All speech before it has words, or was handed to
   * `giveOut` or removed by `takeSpeech`.
   * @param decided position up to which the detector has decided.
   * @param needed position of the first sample of the open utterance.
   */
  bound(decided: number, needed: number): number {
    const { confirmed, isOpen, first } = this.#unconfirmed;
    return Math.max(confirmed, Math.min(isOpen ? decided : needed, first));
  }

  speechStarted(position: number): void {
    const now = this.options.now();
    this.#awaitedSince ??= now;
    this.#unconfirmed.speechStarted(position, now);
  }

  speechEnded(position: number): void {
    this.#unconfirmed.speechEnded(position, this.options.now());
  }

  /** Sends unconfirmed audio, then all later audio, to this connection. */
  attach(stream: AudioStream): void {
    this.#stream = stream;
    this.#timeline = new AudioTimeline();
    this.#finals = [];
    this.#floor = this.#unconfirmed.confirmed;
    this.#lastSign = this.options.now();
    this.#isBehind = !this.#unconfirmed.pieces.every((piece) => this.#send(piece));
  }

  /** Closes the connection. Audio is kept until another connection is attached. */
  detach(): void {
    this.#stream?.close();
    this.#stream = null;
  }

  /** Adds audio and sends it. @param pcm owned by this feed from now on; the caller must not change it. */
  add(position: number, pcm: Int16Array): void {
    const piece = { position, pcm };
    const taken = this.#send(piece);
    // The provider did not get some audio before this piece, and will send no words for that audio. The speech in it is
    // handed to `giveOut`.
    if (taken && this.#isBehind) this.#giveOut('queue_full');
    this.#isBehind = !taken && this.#stream !== null;
    this.#unconfirmed.add(piece);
    if (this.#unconfirmed.samples > this.options.most) this.#giveOut('too_late');
  }

  /** Records that the provider sent words, final or provisional. */
  sign(): void {
    const now = this.options.now();
    this.#lastSign = now;
    if (this.#awaitedSince !== null) this.options.observe('first', now - this.#awaitedSince);
    this.#awaitedSince = null;
  }

  /** Returns provisional words with their position. */
  interim({ text, start, end, speaker }: ProviderWords): PlacedWords {
    this.sign();
    const from = Math.max(this.#floor, this.#timeline.startOf(start));
    return { text, from, to: Math.max(from, this.#timeline.endOf(end)), speaker };
  }

  /** Returns final words with their position. @returns null if the provider sent them before. */
  final({ text, start, end, speaker }: ProviderWords): PlacedWords | null {
    this.sign();
    const from = this.#timeline.startOf(start);
    const to = this.#timeline.endOf(end);
    const key = `${from} ${to} ${text}`;
    if (to <= this.#floor || this.#finals.includes(key)) return null;
    if (this.#finals.push(key) > remembered) this.#finals.shift();
    const now = this.options.now();
    for (const { endedAt } of this.#unconfirmed.confirm(to, now))
      this.options.observe('final', now - endedAt);
    return { text, from: Math.max(from, this.#floor), to, speaker };
  }

  /**
   * Checks whether words are late: the oldest speech that has no words yet is at least `timeout` ms old.
   * @returns `silent` if the provider sent nothing for `timeout` ms. `wordless` if the provider sent something, but
   * no words for the oldest speech. That speech then counts as confirmed. Otherwise null.
   */
  check(timeout: number): 'silent' | 'wordless' | null {
    const oldest = this.#unconfirmed.oldest;
    const now = this.options.now();
    if (this.#stream === null || oldest === undefined || now - oldest.since < timeout) return null;
    if (now - this.#lastSign >= timeout) return 'silent';
    if (!Number.isFinite(oldest.to)) return null;
    this.#unconfirmed.confirm(oldest.to, now);
    return 'wordless';
  }

  /** Marks all audio as confirmed, because the provider has sent all words. */
  confirmAll(): void {
    const last = this.#unconfirmed.pieces.at(-1);
    if (last !== undefined) this.#unconfirmed.confirm(last.position + last.pcm.length, this.options.now());
  }

  /** Removes and returns all speech that has no words yet. Words that arrive for it later are dropped. */
  takeSpeech(): SpeechRun[] {
    const runs = this.#unconfirmed.takeSpeech(this.options.longestRun, this.options.now());
    this.#floor = this.#unconfirmed.confirmed;
    return runs;
  }

  /** Sends a piece to the provider. @returns whether the provider accepted it. */
  #send({ position, pcm }: AudioPiece): boolean {
    const taken = this.#stream?.send(pcm) === true;
    if (taken) this.#timeline.add(position, pcm.length);
    return taken;
  }

  #giveOut(reason: 'queue_full' | 'too_late'): void {
    for (const run of this.takeSpeech()) this.options.giveOut(run, reason);
  }
}
