import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { LiveSegment } from '../../wire/index.js';
import type { Frame } from './encode.js';
import { FrameSender } from './frame-sender.js';
import { KeptFrames } from './kept-frames.js';
import type { Arrival } from './lag.js';
import { openSocket } from './open-socket.js';
import type { WearableOptions } from './options.js';

import { realClock, sendPaced } from './pace.js';
import { type TokenRenewal, TokenRenewer } from './token-renewal.js';
import { Transcript } from './transcript.js';

/** A JSON object from the engine. */
export type ServerEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface WearableListener {
  /** Called with new or changed segments, in the order of arrival. */
  readonly segments?: (segments: readonly LiveSegment[]) => void;
  readonly event?: (event: ServerEvent) => void;
}

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/**
 * The bytes of a pong frame. In answer to the text `ping`, the mobile application sends these bytes as a binary
 * message.
 */
const pong = Uint8Array.of(0x8a, 0x00);
/** Close code of a stream with an expired token. */
const tokenExpired = 4001;
/**
 * Close codes after which a stream with a clock is opened again. 1006 means that the connection was lost. The other
 * codes mean that the engine is closing or is full.
 */
const lostCodes: ReadonlySet<number> = new Set([1001, 1006, 1012, 1013]);
/**
 * Close code of a stream whose provider failed. The stream is opened again, unless the provider would probably fail
 * again.
 */
const providerFailed = 1011;
/**
 * Maximum number of failures to reopen a stream since the engine last confirmed audio. With the pauses between them, so
 * many failures take about ten minutes.
 */
const mostFailures = 24;
/**
 * Pause in ms after the first failure. Each later pause is twice as long as the previous one, but at most
 * `longestRetry` times as long as the first. A random part of up to a quarter is added to each pause, so that the
 * clients of one engine do not return together.
 */
const usualRetry = 1000;
const longestRetry = 30;
/** Number of bytes buffered in the socket above which sending at full speed pauses. */
const maxBuffered = 1_048_576;

const isEvent = (value: unknown): value is ServerEvent =>
  typeof value === 'object' && value !== null && typeof (value as ServerEvent).type === 'string';

/**
 * Checks whether an event names the stream's current conversation. Otherwise it names a conversation that has ended.
 */
const isCurrent = ({ type, status }: ServerEvent): boolean =>
  type === 'conversation_session' && status === 'in_progress';

interface Waiter {
  readonly wanted: (event: ServerEvent) => boolean;
  readonly resolve: (event: ServerEvent | undefined) => void;
}

/**
 * A wearable: one WebSocket to `/v4/listen`. It sends frames at their due time, answers heartbeats, and collects the transcript and
 * every event. Used by `cochlea listen`, the demo and load tests.
 */
export class Wearable {
  readonly transcript = new Transcript();
  /** Every segment message with its arrival time on `realClock`. */
  readonly arrivals: Arrival[] = [];
  readonly events: ServerEvent[] = [];
  /** Resolves when either side has closed the socket; never rejects. */
  readonly closed: Promise<Closing>;
  readonly #waiters = new Set<Waiter>();
  #finish: (closing: Closing) => void = () => {};
  #socket: WebSocket | undefined;
  #isClosed = false;
  /** Close code and reason of the closed stream, while the stream is being reopened. */
  #lapsed: Closing | undefined;
  /** Aborts when the client closes the stream, so that the stream is not reopened. */
  readonly #ending = new AbortController();
  #renewer: TokenRenewer | undefined;
  #renewals = 0;
  #reconnections = 0;
  /**
   * Number of failures since the engine last confirmed audio. Failures are closes because of a failed provider, and
   * failed attempts to reopen the stream.
   */
  #failures = 0;
  /** Frames that the engine has not confirmed; undefined if the recording has no clock. */
  readonly #kept: KeptFrames | undefined;
  readonly #sender: FrameSender | undefined;
  /** Whether the engine reports the positions of confirmed audio. */
  #hasPositions = false;
  /** Id of the stream's current conversation. */
  #conversation: string | undefined;

  private constructor(
    private readonly options: WearableOptions,
    private readonly listener: WearableListener,
  ) {
    this.#kept = options.clock === undefined ? undefined : new KeptFrames();
    this.#sender = this.#kept && new FrameSender(this.#kept, ({ bytes }) => this.sendBinary(bytes));
    this.closed = new Promise((resolve) => {
      this.#finish = (closing) => {
        this.#isClosed = true;
        this.#sender?.stop();
        for (const waiter of this.#waiters) waiter.resolve(undefined);
        this.#waiters.clear();
        resolve(closing);
      };
    });
  }

  /**
   * Connects. With a renewal, a stream that was closed for an expired token (4001) is reopened with a new token. With a
   * clock, a stream is also reopened after a lost connection, and audio that is not stored is sent again.
   * @throws CochleaError `token_refused` or `connection_failed` naming the address without its query, and the HTTP status of a refusal.
   */
  static async connect(options: WearableOptions, listener: WearableListener = {}): Promise<Wearable> {
    const wearable = new Wearable(options, listener);
    await wearable.#open(options.token);
    return wearable;
  }

  async #open(token: string | undefined): Promise<void> {
    let opened = false;
    const { conversation } = this.options;
    const options = {
      ...this.options,
      ...(conversation && { conversation: this.#conversation ?? conversation }),
      clockAt: this.#kept?.confirmed,
    };
    await openSocket(options, token, (socket) => {
      this.#socket = socket;
      socket.on('message', (data, isBinary) => {
        if (!isBinary) this.#receive(String(data));
      });
      // A `close` event follows every error, and its handler handles both.
      socket.on('error', () => undefined);
      socket.on('close', (code, reason) => {
        // If the socket never opened, `#open` already reports the failure to its caller.
        if (opened) void this.#closedBy({ code, reason: reason.toString() });
      });
      socket.once('open', () => {
        opened = true;
      });
    });
    if (this.#ending.signal.aborted) this.#socket?.close(1000);
    const { renewal } = this.options;
    if (token && renewal) this.#renewer = new TokenRenewer(token, renewal, (text) => this.sendText(text));
  }

  async #closedBy(closing: Closing): Promise<void> {
    this.#renewals = this.renewals;
    this.#renewer?.stop();
    this.#renewer = undefined;
    const { renewal } = this.options;
    const isExpired = closing.code === tokenExpired && renewal !== undefined;
    if ((isExpired || this.#isLost(closing)) && !this.#ending.signal.aborted) {
      this.#lapsed = closing;
      this.#kept?.wait();
      const reconnected = await this.#reconnect(renewal);
      this.#lapsed = undefined;
      if (reconnected) return;
    }
    this.#finish(closing);
  }

  /**
   * Checks whether a closed stream must be reopened to send the rest of its audio. A stream is not reopened if another
   * stream has replaced it.
   */
  #isLost({ code, reason }: Closing): boolean {
    const isReplaced = code === 1012 && reason === new CochleaError('stream_replaced').message;
    if (code === providerFailed) return this.#hasPositions && this.#isWorthRetry();
    return this.#hasPositions && lostCodes.has(code) && !isReplaced;
  }

  /** Counts a failure of a provider. @returns whether another attempt to reopen the stream may succeed. */
  #isWorthRetry(): boolean {
    const report = this.events.findLast(({ status }) => status === 'stt_failed');
    return ++this.#failures < mostFailures && report?.retryable !== false;
  }

  /**
   * Reopens the stream, which continues its conversation. Uses a new token if `renewal` is given. @returns whether the
   * stream was reopened.
   */
  async #reconnect(renewal: TokenRenewal | undefined): Promise<boolean> {
    const { signal } = this.#ending;
    const first = renewal?.retryAfter ?? usualRetry;
    for (; this.#failures < mostFailures; this.#failures++) {
      const wait = this.#failures === 0 ? 0 : first * Math.min(longestRetry, 2 ** (this.#failures - 1));
      if (wait > 0) await pause(wait * (1 + Math.random() / 4), undefined, { signal }).catch(() => {});
      if (signal.aborted) return false;
      try {
        await this.#open(renewal === undefined ? this.options.token : await renewal.renew());
        this.#reconnections++;
        // An engine without positions confirms no audio. So the count of failures is reset here.
        if (!this.#hasPositions) this.#failures = 0;
        return true;
      } catch (thrown) {
        // The sign-in has ended, so no later attempt gets a token.
        if (thrown instanceof CochleaError && thrown.code === 'sign_in_refused') return false;
      }
    }
    return false;
  }

  /** Number of token replacements. */
  get renewals(): number {
    return this.#renewals + (this.#renewer?.renewed ?? 0);
  }

  /** Number of times the stream was reopened. */
  get reconnections(): number {
    return this.#reconnections;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Sends frames at their due time. Resolves when all are sent. Ends early if the socket closes.
   * @param pace multiple of real time; `max` sends as fast as the socket accepts.
   * @param also receives each sent frame.
   * @returns the time (`realClock`) at which the first sample was "recorded".
   */
  async send(
    frames: readonly Frame[],
    pace: number | 'max' = 1,
    also: (frame: Frame) => void = () => undefined,
  ): Promise<number> {
    const send = (frame: Frame): void => {
      if (this.#kept === undefined) this.sendBinary(frame.bytes);
      else {
        this.#kept.add(frame);
        this.#sender?.flush();
      }
      also(frame);
    };
    const start = await sendPaced(frames, send, {
      pace,
      ready: () => this.#drained(),
      stopped: () => this.#isClosed,
    });
    while (this.#kept?.isDue && !this.#isClosed) await realClock.sleep(50);
    return start;
  }

  /** Sends one binary message. */
  sendBinary(bytes: Uint8Array): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  /** Sends one text message. */
  sendText(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /**
   * Waits for an event that may have arrived already.
   * @returns the event; undefined if the socket closed before it or `timeout` ms passed.
   */
  async waitFor(wanted: (event: ServerEvent) => boolean, timeout: number): Promise<ServerEvent | undefined> {
    const earlier = this.events.find(wanted);
    if (earlier || this.#isClosed) return earlier;
    let forget = (): undefined => undefined;
    const arrival = new Promise<ServerEvent | undefined>((resolve) => {
      const waiter = { wanted, resolve };
      this.#waiters.add(waiter);
      forget = () => void this.#waiters.delete(waiter);
    });
    return within(arrival, timeout, () => forget());
  }

  /**
   * Waits until the conversation of the stream is stored. Earlier conversations do not count: they ended before the
   * stream, or while it was being reopened.
   * @returns the event; undefined if the socket closed first or `timeout` ms passed.
   */
  waitForMemory(timeout: number): Promise<ServerEvent | undefined> {
    const isOwn = (id: unknown): boolean => this.#conversation !== undefined && this.#conversation === id;
    return this.waitFor(
      ({ type, memory }) => type === 'memory_created' && isOwn((memory as { id?: unknown } | null)?.id),
      timeout,
    );
  }

  /** Closes the socket as the mobile application does after a normal stop. Resolves when it is closed. */
  async close(code = 1000): Promise<Closing> {
    this.#ending.abort();
    this.#socket?.close(code);
    if (this.#lapsed !== undefined) this.#finish(this.#lapsed);
    const hardly = setTimeout(() => this.#socket?.terminate(), 5000);
    const closing = await this.closed;
    clearTimeout(hardly);
    return closing;
  }

  /** Terminates the connection without a closing handshake, as a lost radio link does. */
  cut(): void {
    this.#ending.abort();
    this.#socket?.terminate();
    if (this.#lapsed !== undefined) this.#finish(this.#lapsed);
  }

  #receive(text: string): void {
    if (text === 'ping') {
      this.sendBinary(pong);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (Array.isArray(message)) {
      const segments = message as LiveSegment[];
      if (segments.length === 0) return;
      this.arrivals.push({ at: realClock.now(), segments });
      this.transcript.upsert(segments);
      this.listener.segments?.(segments);
    } else if (isEvent(message)) {
      this.#take(message);
    }
  }

  #take(event: ServerEvent): void {
    if (event.type === 'segments_deleted' && Array.isArray(event.segment_ids)) {
      this.transcript.remove(event.segment_ids as string[]);
    }
    if (isCurrent(event)) this.#conversation = String(event.conversation_id);
    if (this.#kept !== undefined) this.#follow(event, this.#kept);
    if (event.type === 'auth_response') this.#renewer?.answered(event.success === true);
    this.events.push(event);
    this.listener.event?.(event);
    for (const waiter of this.#waiters) {
      if (!waiter.wanted(event)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(event);
    }
  }

  /** Applies the positions that the engine reports to the kept frames. */
  #follow(event: ServerEvent, kept: KeptFrames): void {
    if (event.type === 'audio_confirmed') {
      kept.confirm(Number(event.confirmed_ms));
      this.#failures = 0;
    }
    if (!isCurrent(event)) return;
    const resumeAt = typeof event.resume_at_ms === 'number' ? event.resume_at_ms : undefined;
    this.#hasPositions ||= resumeAt !== undefined;
    if (kept.isWaiting) this.#sender?.reopened();
    kept.resume(resumeAt);
    this.#sender?.flush();
  }

  /** Waits until the socket is open and has sent most of its buffer. */
  async #drained(): Promise<void> {
    const takes = (): boolean =>
      this.#socket?.readyState === WebSocket.OPEN &&
      this.#kept?.isWaiting !== true &&
      this.#socket.bufferedAmount <= maxBuffered;
    while (!takes() && !this.#isClosed) await realClock.sleep(5);
  }
}
