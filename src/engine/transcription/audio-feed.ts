import type { AudioStream, ProviderWords } from '../../stt/shared/index.js';
import { AudioTimeline } from './audio-timeline.js';
import { type AudioPiece, type SpeechRun, UnconfirmedAudio } from './unconfirmed-audio.js';

/** Final words with their place on the stream's clock, in samples at 16 kHz. */
export interface PlacedWords {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly speaker: number | undefined;
}

export interface AudioFeedOptions {
  /** Samples of silence to keep, because speech may still be announced in them. */
  readonly idle: number;
  /** Most samples to keep while words are awaited. */
  readonly most: number;
  /** Most samples of one run of speech in `takeSpeech` and `giveOut`. */
  readonly longestRun: number;
  readonly now: () => number;
  /** Called with the latency of words in ms: `first` since speech was announced, `final` since its end was announced. */
  readonly observe: (words: 'first' | 'final', milliseconds: number) => void;
  /** Called with speech to retain, because the feed no longer awaits its words. */
  readonly giveOut: (run: SpeechRun, reason: 'queue_full' | 'too_late') => void;
}

/** Number of final results that are remembered to detect duplicates. */
const remembered = 64;

/**
 * Sends the audio of one stream to a provider, and keeps it until its words have arrived. After a failure of the connection the audio is
 * sent again, or returned to the owner. The feed itself knows no provider; its owner attaches connections.
 */
export class AudioFeed {
  readonly #unconfirmed: UnconfirmedAudio;
  #timeline = new AudioTimeline();
  #stream: AudioStream | null = null;
  /** Position before which words are dropped: an earlier connection sent them, or their audio was handed to `giveOut`. */
  #floor = 0;
  #finals: string[] = [];
  /** When the provider last sent words, or when it was attached; monotonic ms. */
  #lastSign = 0;
  /** When the oldest speech without any words was announced; monotonic ms. Provisional words count as words. */
  #awaitedSince: number | null = null;
  /** Whether some audio found no space in the provider's queue. */
  #isBehind = false;

  constructor(private readonly options: AudioFeedOptions) {
    this.#unconfirmed = new UnconfirmedAudio(options.idle);
  }

  get waiting(): number {
    return this.#unconfirmed.waiting;
  }

  /** Number of kept samples; 0 if no speech awaits words. */
  get held(): number {
    return this.#unconfirmed.oldest === undefined ? 0 : this.#unconfirmed.samples;
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

  /** Closes the connection. Audio is kept until the next one is attached. */
  detach(): void {
    this.#stream?.close();
    this.#stream = null;
  }

  /** Adds audio and sends it. @param pcm owned by this feed from now on; the caller must not change it. */
  add(position: number, pcm: Int16Array): void {
    const piece = { position, pcm };
    const taken = this.#send(piece);
    // The provider continues after audio that it never got, so the speech in that audio is handed to `giveOut`.
    if (taken && this.#isBehind) this.#giveOut('queue_full');
    this.#isBehind = !taken && this.#stream !== null;
    this.#unconfirmed.add(piece);
    if (this.#unconfirmed.samples > this.options.most) this.#giveOut('too_late');
  }

  /** Notes that the provider sent words, final or provisional. */
  sign(): void {
    const now = this.options.now();
    this.#lastSign = now;
    if (this.#awaitedSince !== null) this.options.observe('first', now - this.#awaitedSince);
    this.#awaitedSince = null;
  }

  /** @returns provisional words with their place. */
  interim({ text, start, end, speaker }: ProviderWords): PlacedWords {
    this.sign();
    const from = Math.max(this.#floor, this.#timeline.startOf(start));
    return { text, from, to: Math.max(from, this.#timeline.endOf(end)), speaker };
  }

  /** @returns final words with their place, or null if they were sent before. */
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
   * Checks whether words are late: the oldest speech is `timeout` ms old and has no words.
   * @returns `silent` if the provider sent nothing for `timeout` ms. `wordless` if it responds but found no words in the oldest speech,
   *   which then counts as done. Else null.
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

  /** Marks all audio as done, because the provider has sent all words. */
  confirmAll(): void {
    const last = this.#unconfirmed.pieces.at(-1);
    if (last !== undefined) this.#unconfirmed.confirm(last.position + last.pcm.length, this.options.now());
  }

  /** Removes and returns all speech without words. Words that arrive for it later are dropped. */
  takeSpeech(): SpeechRun[] {
    const runs = this.#unconfirmed.takeSpeech(this.options.longestRun, this.options.now());
    this.#floor = this.#unconfirmed.confirmed;
    return runs;
  }

  /** @returns whether the provider accepted the piece. */
  #send({ position, pcm }: AudioPiece): boolean {
    const taken = this.#stream?.send(pcm) === true;
    if (taken) this.#timeline.add(position, pcm.length);
    return taken;
  }

  #giveOut(reason: 'queue_full' | 'too_late'): void {
    for (const run of this.takeSpeech()) this.options.giveOut(run, reason);
  }
}
