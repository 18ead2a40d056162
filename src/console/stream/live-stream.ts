import { Backoff } from './backoff.js';
import { closeMeaning } from './close-meaning.js';
import { type Connection, openConnection, type StreamAccess, type StreamToken } from './connection.js';
import type { StreamMessage } from './messages.js';
import { frameBytes, frameSeconds, type KeptLimit, RecordedAudio } from './recorded-audio.js';

/** State of a live stream. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /**
   * There has been no connection since `since` (ms of the clock). Recording continues. `signedOut`: the stream
   * reconnects only after the user has signed in.
   */
  | { readonly kind: 'reconnecting'; readonly since: number; readonly signedOut: boolean }
  /** The remaining audio is being sent and stored. */
  | { readonly kind: 'stopping' }
  /**
   * The engine has all audio. `conversation` is null if nothing was said. `unconfirmed` seconds of the audio were sent,
   * but the engine has not said that they are stored.
   */
  | { readonly kind: 'saved'; readonly conversation: string | null; readonly unconfirmed: number }
  /** The stream has ended, and `kept` seconds of audio are not stored. `retry` and `keptSamples` use this audio. */
  | {
      readonly kind: 'failed';
      readonly remedy: string;
      readonly kept: number;
      readonly conversation: string | null;
    };

export interface LiveStreamOptions extends StreamAccess {
  readonly random: () => number;
  /** Limit on the unconfirmed audio that is kept. Default: `usualLimit`. */
  readonly limit?: KeptLimit;
  readonly onState: (state: StreamState) => void;
  readonly onMessage: (message: StreamMessage) => void;
}

/** Error if the user has to sign in again. */
export class SignedOut extends Error {}

/** Ms without progress after which `stop` gives up. */
const stopTimeout = 60_000;
/** Ms between two beats. Each beat sends waiting audio, and a keep-alive if one is due. */
const beat = 250;
/** If a beat is this many ms late, the computer has slept. A busy computer delays a beat less. */
const sleptAfter = 5000;
/** Number of frames of silence (2 s) that are added when the recording ends or is muted, so that the last words end. */
const silentFrames = 100;

const signInAgain = 'The session has ended. Sign in again.';

/**
 * Records to `/v4/web/listen`. It keeps audio until the engine confirms it, reconnects after failures, and sends again
 * the audio that is not stored. It uses no part of a page, so it also runs in Node.js with the socket of the package
 * `ws`. In the state `saved` it does nothing more. In the state `failed` only `retry` starts it again.
 */
export class LiveStream {
  readonly #audio: RecordedAudio;
  readonly #frameBytes: number;
  readonly #backoff: Backoff;
  #state: StreamState = { kind: 'connecting' };
  #connection: Connection | undefined;
  #conversation: string | null = null;
  /** Id of the latest conversation for which words arrived. */
  #worded: string | null = null;
  #rest = new Uint8Array(0);
  #muted = false;
  /** Whether nothing was recorded after the last added silence. */
  #isSilent = true;
  /** Position in ms of the end of the recorded samples before the last added silence. */
  #soundTo = 0;
  /**
   * Position in ms up to which audio must be confirmed after `stop`: the end of the recording without the added
   * silence.
   */
  #recordedTo = 0;
  #stopped = false;
  #stopBy = Number.POSITIVE_INFINITY;
  /**
   * Sum of the confirmed ms and the sent ms when `#stopBy` was last set. If the sum has grown, `#stopBy` is set again.
   */
  #progress = 0;
  #lostAt = 0;
  #wasReady = false;
  /**
   * Number of the current run. Each call of `start` or `retry` begins a run. Work of an earlier run must have no
   * further effect.
   */
  #run = 0;

  constructor(private readonly options: LiveStreamOptions) {
    const { channels = 1, limit } = options;
    this.#audio = new RecordedAudio(channels, limit);
    this.#frameBytes = frameBytes * channels;
    this.#backoff = new Backoff(options.random);
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Seconds of audio that wait to be sent. */
  get waiting(): number {
    return this.#audio.waiting;
  }

  /** Seconds of audio that are kept, because the engine has not confirmed that they are stored. */
  get kept(): number {
    return this.#audio.kept;
  }

  /** Seconds of audio that were dropped, because the limit was reached, and that are not stored. */
  get lost(): number {
    return this.#audio.lost;
  }

  /**
   * Position in ms of the end of the recording on its clock. While the stream is muted, only the added silence counts.
   */
  get position(): number {
    return this.#audio.end;
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** Opens the first connection. Call it once. */
  start(): void {
    this.#lostAt = this.options.time.now();
    this.options.onState(this.#state);
    this.#begin();
  }

  /**
   * Records any number of samples: signed 16 bits, 16 kHz, channels interleaved.
   * @param samples copied before the method returns.
   */
  push(samples: Int16Array): void {
    if (this.#muted || this.#stopped || this.#isOver || samples.length === 0) return;
    this.#isSilent = false;
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const size = this.#frameBytes;
    let at = 0;
    for (; at + size <= all.length; at += size) this.#add(all.slice(at, at + size));
    this.#rest = all.slice(at);
    this.#connection?.sendAudio();
  }

  /**
   * Stops or continues recording. A muted stream stays open. When it is muted, 2 s of silence are added, so that the
   * last words end.
   */
  mute(muted: boolean): void {
    this.#muted = muted;
    if (!muted || this.#stopped || this.#isOver) return;
    this.#endSpeech();
    this.#connection?.sendAudio();
  }

  /** Sends a message of the client, such as `speaker_assigned`. @returns false without a connection. */
  send(message: object): boolean {
    return this.#connection?.send(message) ?? false;
  }

  /**
   * Sends the remaining audio, waits until it is stored, ends the conversation and closes the stream. The state becomes
   * `saved` or `failed`.
   */
  stop(): void {
    if (this.#isOver || this.#stopped) return;
    this.#stopped = true;
    this.#endSpeech();
    this.#recordedTo = this.#soundTo;
    this.#stopAgain();
  }

  /** Tries again to store the kept audio of a failed stream. */
  retry(): void {
    if (this.#state.kind !== 'failed' || this.#audio.kept === 0) return;
    this.#stopped = true;
    this.#endSpeech();
    this.#recordedTo = this.#soundTo;
    this.#stopAgain();
    this.#begin();
  }

  /** Returns the audio that the engine has not confirmed: signed 16-bit samples at 16 kHz, channels interleaved. */
  keptSamples(): Int16Array<ArrayBuffer> {
    return this.#audio.samples();
  }

  /** Completes the last frame, and adds silence after it. Does nothing if the recording already ends with silence. */
  #endSpeech(): void {
    if (this.#isSilent) return;
    this.#isSilent = true;
    if (this.#rest.length > 0) {
      const last = new Uint8Array(this.#frameBytes);
      last.set(this.#rest);
      this.#add(last);
      this.#rest = new Uint8Array(0);
    }
    this.#soundTo = this.#audio.end;
    for (let frame = 0; frame < silentFrames; frame++) this.#add(new Uint8Array(this.#frameBytes));
  }

  get #isOver(): boolean {
    return this.#state.kind === 'saved' || this.#state.kind === 'failed';
  }

  /** Whether all recorded audio is confirmed. Only the silence after it may be unconfirmed. */
  get #isStored(): boolean {
    return this.#audio.position >= this.#recordedTo;
  }

  #begin(): void {
    const run = ++this.#run;
    void this.#connect(run);
    this.#beat(run);
  }

  /** Whether the connections and timers of `run` must have no further effect. */
  #isPast(run: number): boolean {
    return this.#isOver || run !== this.#run;
  }

  #add(frame: Uint8Array<ArrayBuffer>): void {
    const skipped = this.#audio.add(frame);
    if (skipped && this.#connection?.isReady) this.#connection.restart();
  }

  #setState(state: StreamState): void {
    this.#state = state;
    this.options.onState(state);
  }

  #stopAgain(): void {
    this.#progress = 0;
    this.#stopBy = this.options.time.now() + stopTimeout;
    this.#setState({ kind: 'stopping' });
    this.#connection?.sendAudio();
    this.#finish();
  }

  #save(): void {
    const rest = this.#isStored ? 0 : this.#recordedTo / 1000 - this.#audio.position / 1000;
    // If audio is unconfirmed, words that are still being recognised belong to the current conversation.
    const conversation = rest > 0 ? (this.#conversation ?? this.#worded) : this.#worded;
    this.#setState({ kind: 'saved', conversation, unconfirmed: rest });
  }

  #fail(remedy: string): void {
    // Uses another code than 1000, because 1000 would end the conversation, which `retry` continues.
    this.#connection?.close(4000);
    this.#connection = undefined;
    if (this.#stopped && this.#isStored) this.#save();
    else this.#setState({ kind: 'failed', remedy, kept: this.#audio.kept, conversation: this.#worded });
  }

  #beat(run: number): void {
    const { time } = this.options;
    const due = time.now() + beat;
    time.after(beat, () => {
      if (this.#isPast(run)) return;
      // If the computer slept, the engine could not be reached meanwhile. So this time is added to the timeout.
      const late = time.now() - due;
      if (late >= sleptAfter) this.#stopBy += late;
      this.#connection?.tick();
      if (this.#stopped) this.#finish();
      if (!this.#isOver) this.#beat(run);
    });
  }

  /** Closes a stopping stream when all audio is stored, or gives up. */
  #finish(): void {
    const now = this.options.time.now();
    const { position, end, waiting } = this.#audio;
    const progress = position + Math.max(0, end - waiting * 1000);
    if (progress > this.#progress) {
      this.#progress = progress;
      this.#stopBy = now + stopTimeout;
    }
    const isLate = now >= this.#stopBy;
    const isReady = this.#connection?.isReady === true;
    if (isReady && waiting < frameSeconds && (this.#isStored || isLate)) this.#connection?.end();
    else if (isLate) this.#fail('The service could not be reached for a minute.');
  }

  async #connect(run: number): Promise<void> {
    const { options } = this;
    let token: StreamToken;
    try {
      token = await options.token();
    } catch (error) {
      if (this.#isPast(run)) return;
      const signedOut = error instanceof SignedOut;
      if (signedOut && !this.#wasReady) this.#fail(signInAgain);
      else this.#later(0, signedOut);
      return;
    }
    if (this.#isPast(run)) return;
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
    this.#wasReady = true;
    if (!this.#stopped) this.#setState({ kind: 'live' });
  }

  #message(message: StreamMessage): void {
    if (message.type === 'audio_confirmed') {
      this.#audio.confirm(message.confirmed_ms);
      this.#backoff.reset();
    } else if (message.type === 'segments' && message.segments.length > 0) this.#worded = this.#conversation;
    else if (message.type === 'conversation_session' && message.status === 'in_progress')
      this.#conversation = message.conversation_id;
    this.options.onMessage(message);
  }

  #closed(code: number, reason: string, wasReadyFor: number | undefined): void {
    const ended = this.#connection?.ended === true;
    this.#connection = undefined;
    if (this.#isOver) return;
    if (this.#stopped && (this.#isStored || (ended && (code === 1000 || code === 1005)))) {
      this.#save();
      return;
    }
    if (wasReadyFor !== undefined) {
      this.#lostAt = this.options.time.now();
      this.#backoff.connectionEnded(wasReadyFor);
    }
    const meaning = closeMeaning(code, reason);
    if (meaning.again) this.#later(meaning.wait, false);
    else this.#fail(meaning.remedy);
  }

  #later(least: number, signedOut: boolean): void {
    if (!this.#stopped) this.#setState({ kind: 'reconnecting', since: this.#lostAt, signedOut });
    const run = this.#run;
    this.options.time.after(this.#backoff.next(least), () => {
      if (!this.#isPast(run)) void this.#connect(run);
    });
  }
}
