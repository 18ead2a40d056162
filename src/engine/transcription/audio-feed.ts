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
  /** Samples of silence that are kept in case speech is announced in them. */
  readonly idle: number;
  /** Samples that are kept for words to come at most. */
  readonly most: number;
  /** Samples of a run of speech that is given out at most. */
  readonly longestRun: number;
  readonly now: () => number;
  /** Takes how long words took, in ms: `first` from the announcement of speech, `final` from the announcement of its end. */
  readonly observe: (words: 'first' | 'final', milliseconds: number) => void;
  /** Takes speech that is not waited for any more. */
  readonly giveOut: (run: SpeechRun, reason: 'queue_full' | 'too_late') => void;
}

/** Finals that are remembered, to know one that is told twice. */
const remembered = 64;

/**
 * The audio of one stream on its way through connections to providers: what was sent, what words have come, and what has to be
 * sent again or given out when a connection fails. It knows no provider; its owner connects.
 */
export class AudioFeed {
  readonly #options: AudioFeedOptions;
  readonly #unconfirmed: UnconfirmedAudio;
  #timeline = new AudioTimeline();
  #stream: AudioStream | null = null;
  /** Words that end before this were told by an earlier connection, or their audio was given out. */
  #floor = 0;
  #finals: string[] = [];
  /** When the provider last told anything, or audio first went to it; monotonic ms. */
  #lastSign = 0;
  /** When speech was announced of which no words have come, provisional ones included; monotonic ms. */
  #awaitedSince: number | null = null;
  /** There is audio that had no place in the provider's queue. */
  #isBehind = false;

  constructor(options: AudioFeedOptions) {
    this.#options = options;
    this.#unconfirmed = new UnconfirmedAudio(options.idle);
  }

  get waiting(): number {
    return this.#unconfirmed.waiting;
  }

  /** Samples that are kept while there is speech whose words are awaited. */
  get held(): number {
    return this.#unconfirmed.oldest === undefined ? 0 : this.#unconfirmed.samples;
  }

  speechStarted(position: number): void {
    const now = this.#options.now();
    this.#awaitedSince ??= now;
    this.#unconfirmed.speechStarted(position, now);
  }

  speechEnded(position: number): void {
    this.#unconfirmed.speechEnded(position, this.#options.now());
  }

  /** Audio goes to this connection from now on, what was not confirmed first. */
  attach(stream: AudioStream): void {
    this.#stream = stream;
    this.#timeline = new AudioTimeline();
    this.#finals = [];
    this.#floor = this.#unconfirmed.confirmed;
    this.#lastSign = this.#options.now();
    this.#isBehind = !this.#unconfirmed.pieces.every((piece) => this.#send(piece));
  }

  /** Audio goes nowhere until the next connection is attached. */
  detach(): void {
    this.#stream?.close();
    this.#stream = null;
  }

  /** @param pcm owned by this feed from now on; not changed by anyone after that. */
  add(position: number, pcm: Int16Array): void {
    const piece = { position, pcm };
    const taken = this.#send(piece);
    // The provider goes on behind audio that it never got, whose speech is therefore given out.
    if (taken && this.#isBehind) this.#giveOut('queue_full');
    this.#isBehind = !taken && this.#stream !== null;
    this.#unconfirmed.add(piece);
    if (this.#unconfirmed.samples > this.#options.most) this.#giveOut('too_late');
  }

  /** The provider has told words, which may be provisional. */
  sign(): void {
    const now = this.#options.now();
    this.#lastSign = now;
    if (this.#awaitedSince !== null) this.#options.observe('first', now - this.#awaitedSince);
    this.#awaitedSince = null;
  }

  /** @returns where words lie that may change. */
  interim({ text, start, end, speaker }: ProviderWords): PlacedWords {
    this.sign();
    const from = Math.max(this.#floor, this.#timeline.startOf(start));
    return { text, from, to: Math.max(from, this.#timeline.endOf(end)), speaker };
  }

  /** @returns where final words lie, or null when they were told before. */
  final({ text, start, end, speaker }: ProviderWords): PlacedWords | null {
    this.sign();
    const from = this.#timeline.startOf(start);
    const to = this.#timeline.endOf(end);
    const key = `${from} ${to} ${text}`;
    if (to <= this.#floor || this.#finals.includes(key)) return null;
    if (this.#finals.push(key) > remembered) this.#finals.shift();
    const now = this.#options.now();
    for (const { endedAt } of this.#unconfirmed.confirm(to, now))
      this.#options.observe('final', now - endedAt);
    return { text, from: Math.max(from, this.#floor), to, speaker };
  }

  /**
   * Looks whether words are late: speech is `timeout` ms old and nothing has come for it.
   * @returns `silent` when the provider has told nothing at all for so long, `wordless` when it lives and found no words in the
   *   oldest speech, which then counts as done.
   */
  check(timeout: number): 'silent' | 'wordless' | null {
    const oldest = this.#unconfirmed.oldest;
    const now = this.#options.now();
    if (this.#stream === null || oldest === undefined || now - oldest.since < timeout) return null;
    if (now - this.#lastSign >= timeout) return 'silent';
    if (!Number.isFinite(oldest.to)) return null;
    this.#unconfirmed.confirm(oldest.to, now);
    return 'wordless';
  }

  /** The provider has told all words that there are. */
  confirmAll(): void {
    const last = this.#unconfirmed.pieces.at(-1);
    if (last !== undefined) this.#unconfirmed.confirm(last.position + last.pcm.length, this.#options.now());
  }

  /** Takes all speech out for which no words have come. Words that come for it later are not told. */
  takeSpeech(): SpeechRun[] {
    const runs = this.#unconfirmed.takeSpeech(this.#options.longestRun, this.#options.now());
    this.#floor = this.#unconfirmed.confirmed;
    return runs;
  }

  /** @returns whether the provider took it. */
  #send({ position, pcm }: AudioPiece): boolean {
    const taken = this.#stream?.send(pcm) === true;
    if (taken) this.#timeline.add(position, pcm.length);
    return taken;
  }

  #giveOut(reason: 'queue_full' | 'too_late'): void {
    for (const run of this.takeSpeech()) this.#options.giveOut(run, reason);
  }
}
