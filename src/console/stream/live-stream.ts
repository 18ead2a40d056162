import { Backoff } from './backoff.js';
import { closeMeaning } from './close-meaning.js';
import { type Connection, openConnection, type StreamAccess, type StreamToken } from './connection.js';
import type { StreamMessage } from './messages.js';
import { frameBytes, RecordedAudio } from './recorded-audio.js';
import { StoredEstimate } from './stored-estimate.js';

/** Where a live stream stands. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The connection is lost since `since` (ms of the clock). Recording continues. */
  | { readonly kind: 'reconnecting'; readonly since: number }
  /** The remaining audio is being sent. */
  | { readonly kind: 'stopping' }
  /** The conversation is stored; null if the engine has named none. */
  | { readonly kind: 'saved'; readonly conversation: string | null }
  /** The stream has ended. `unsent` seconds of audio were not sent. */
  | { readonly kind: 'failed'; readonly remedy: string; readonly unsent: number };

export interface LiveStreamOptions extends StreamAccess {
  readonly random: () => number;
  readonly onState: (state: StreamState) => void;
  readonly onMessage: (message: StreamMessage) => void;
}

/** The user has to sign in again. */
export class SignedOut extends Error {}

/** Ms for which `stop` tries to send the remaining audio. */
const stopTimeout = 60_000;
/** Interval in ms in which waiting audio is sent, and keep-alives are considered. */
const beat = 250;
/** Ms without audio after which segment times and sent audio are compared again. */
const longPause = 10_000;

/**
 * Records to `/v4/web/listen`. It reconnects after failures and sends again what the engine may not have stored. It uses
 * no part of a page, so it also runs in Node.js with the socket of the package `ws`. After `saved` or `failed` it does
 * nothing more.
 */
export class LiveStream {
  readonly #audio = new RecordedAudio();
  readonly #backoff: Backoff;
  #state: StreamState = { kind: 'connecting' };
  #connection: Connection | undefined;
  #estimate = new StoredEstimate(0, 0, 0);
  /** Ids of all segments, of earlier connections too: their start says nothing about this connection. */
  readonly #seen = new Set<string>();
  #conversation: string | null = null;
  #rest = new Uint8Array(0);
  #muted = false;
  #recordedAt = 0;
  #stopBy = Number.POSITIVE_INFINITY;
  #lostAt = 0;
  #cancel = (): void => undefined;

  constructor(private readonly options: LiveStreamOptions) {
    this.#backoff = new Backoff(options.random);
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Seconds of audio that wait to be sent. */
  get waiting(): number {
    return this.#audio.waiting;
  }

  /** Seconds of audio that were lost, because the connection was away for too long. */
  get lost(): number {
    return this.#audio.lost;
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** Opens the first connection. Call it once. */
  start(): void {
    this.#lostAt = this.options.time.now();
    this.options.onState(this.#state);
    void this.#connect();
    this.#beat();
  }

  /** Records samples of any number: signed 16 bits, mono, 16 kHz. @param samples copied before this returns. */
  push(samples: Int16Array): void {
    if (this.#muted || this.#isOver || this.#state.kind === 'stopping') return;
    const now = this.options.time.now();
    if (now - this.#recordedAt >= longPause) this.#compareAgain(now);
    this.#recordedAt = now;
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    let at = 0;
    for (; at + frameBytes <= all.length; at += frameBytes) this.#audio.add(all.slice(at, at + frameBytes));
    this.#rest = all.slice(at);
    this.#connection?.sendAudio();
  }

  /** Stops or continues recording. A muted stream stays open. */
  mute(muted: boolean): void {
    this.#muted = muted;
  }

  /** Sends a message of the client, such as `speaker_assigned`. @returns false without a connection. */
  send(message: object): boolean {
    return this.#connection?.send(message) ?? false;
  }

  /** Sends the remaining audio, ends the conversation and closes. The state becomes `saved` or `failed`. */
  stop(): void {
    if (this.#isOver || this.#state.kind === 'stopping') return;
    this.#stopBy = this.options.time.now() + stopTimeout;
    this.#setState({ kind: 'stopping' });
    this.#connection?.sendAudio();
    this.#finish();
  }

  get #isOver(): boolean {
    return this.#state.kind === 'saved' || this.#state.kind === 'failed';
  }

  #setState(state: StreamState): void {
    this.#state = state;
    if (this.#isOver) this.#cancel();
    this.options.onState(state);
  }

  #fail(remedy: string): void {
    this.#connection?.close(1000);
    this.#connection = undefined;
    this.#setState({ kind: 'failed', remedy, unsent: this.#audio.waiting });
  }

  #beat(): void {
    this.#cancel = this.options.time.after(beat, () => {
      if (this.#isOver) return;
      this.#connection?.tick();
      if (this.#state.kind === 'stopping') this.#finish();
      if (!this.#isOver) this.#beat();
    });
  }

  /** Closes a stopping stream when all audio is sent, or gives up. */
  #finish(): void {
    if (this.#audio.waiting === 0 && this.#connection?.isReady === true) this.#connection.end();
    else if (this.options.time.now() >= this.#stopBy)
      this.#fail('The connection did not come back. The last audio is lost.');
  }

  async #connect(): Promise<void> {
    const { options } = this;
    let token: StreamToken;
    try {
      token = await options.token();
    } catch (error) {
      if (this.#isOver) return;
      if (error instanceof SignedOut) this.#fail('The session has ended. Sign in again.');
      else this.#later(0);
      return;
    }
    if (this.#isOver) return;
    this.#connection = openConnection({
      ...options,
      firstToken: token,
      conversation: this.#conversation,
      audio: this.#audio,
      onReady: () => this.#ready(),
      onMessage: (message) => this.#message(message),
      onClose: (code, reason, wasReadyFor) => this.#closed(code, reason, wasReadyFor),
    });
  }

  #ready(): void {
    this.#compareAgain(this.options.time.now());
    if (this.#state.kind !== 'stopping') this.#setState({ kind: 'live' });
  }

  #compareAgain(now: number): void {
    this.#estimate = new StoredEstimate(this.#audio.next, this.#audio.waiting, now);
  }

  #message(message: StreamMessage): void {
    if (message.type === 'segments') {
      const unseen = message.segments.filter(({ id }) => !this.#seen.has(id));
      for (const { id } of unseen) this.#seen.add(id);
      const newStart = Math.min(...unseen.map(({ start }) => start));
      const end = Math.max(...message.segments.map((segment) => segment.end));
      this.#estimate.segments(newStart, end, this.#audio.next, this.options.time.now());
    } else if (message.type === 'conversation_session' && message.status === 'in_progress') {
      if (this.#conversation !== message.conversation_id && this.#conversation !== null)
        this.#compareAgain(this.options.time.now());
      this.#conversation = message.conversation_id;
    }
    this.options.onMessage(message);
  }

  #closed(code: number, reason: string, wasReadyFor: number | undefined): void {
    const stopped = this.#connection?.ended === true;
    this.#connection = undefined;
    if (this.#isOver) return;
    if (stopped && (code === 1000 || code === 1005)) {
      this.#setState({ kind: 'saved', conversation: this.#conversation });
      return;
    }
    const now = this.options.time.now();
    if (wasReadyFor !== undefined) {
      this.#lostAt = now;
      this.#audio.sendAgainFrom(this.#estimate.sendAgainFrom(this.#audio.next, now));
      this.#backoff.connectionEnded(wasReadyFor);
    }
    const meaning = closeMeaning(code, reason);
    if (meaning.again) this.#later(meaning.wait);
    else this.#fail(meaning.remedy);
  }

  #later(least: number): void {
    if (this.#state.kind !== 'stopping') this.#setState({ kind: 'reconnecting', since: this.#lostAt });
    this.options.time.after(this.#backoff.next(least), () => {
      if (!this.#isOver) void this.#connect();
    });
  }
}
