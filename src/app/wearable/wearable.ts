import { WebSocket } from 'ws';
import { CochleaError } from '../../errors/index.js';
import type { LiveSegment } from '../../wire/segment.js';
import { within } from '../../wire/within.js';
import type { Frame, WearableCodec } from './encode.js';
import type { Arrival } from './lag.js';
import { realClock, sendPaced } from './pace.js';
import { type TokenRenewal, TokenRenewer } from './token-renewal.js';
import { Transcript } from './transcript.js';

export interface WearableOptions {
  /** Base address of the engine, `ws://` or `http://`. A path is kept; without one `/v4/listen` is used. */
  readonly url: string;
  /** ID token; not needed with `AUTH_MODE=uid`. */
  readonly token?: string;
  readonly uid: string;
  readonly codec: WearableCodec | string;
  /** Hz. */
  readonly rate: number;
  readonly channels?: 1 | 2;
  readonly language?: string;
  /** Seconds of silence that end the conversation. */
  readonly conversationTimeout?: number;
  readonly source?: string;
  /** Further query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Ms that the upgrade may take. */
  readonly connectTimeout?: number;
  /** How the token is replaced while the stream is open; it ends with its token when absent. */
  readonly renewal?: TokenRenewal;
}

/** A JSON object from the engine. */
export type ServerEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface WearableListener {
  /** Segments new or changed, as they arrived. */
  readonly segments?: (segments: readonly LiveSegment[]) => void;
  readonly event?: (event: ServerEvent) => void;
}

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/** The bytes of a pong frame, which the mobile application sends as a binary message in answer to the text `ping`. */
const pong = Uint8Array.of(0x8a, 0x00);
/** Bytes that may wait in the socket; above it, sending at full speed pauses. */
const maxBuffered = 1_048_576;

/** The address of a stream: the base with the contract's query parameters. */
export const listenUrl = (options: WearableOptions): URL => {
  let url: URL;
  try {
    url = new URL(options.url.replace(/^http/, 'ws'));
  } catch (error) {
    throw new CochleaError(
      'connection_failed',
      { url: options.url, why: 'not an address' },
      { cause: error },
    );
  }
  if (url.pathname === '/') url.pathname = '/v4/listen';
  const query: Record<string, string | undefined> = {
    uid: options.uid,
    language: options.language ?? 'en',
    sample_rate: String(options.rate),
    codec: options.codec,
    channels: String(options.channels ?? 1),
    include_speech_profile: 'true',
    conversation_timeout: options.conversationTimeout?.toString(),
    source: options.source,
    ...options.query,
  };
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
};

const isEvent = (value: unknown): value is ServerEvent =>
  typeof value === 'object' && value !== null && typeof (value as ServerEvent).type === 'string';

interface Waiter {
  readonly wanted: (event: ServerEvent) => boolean;
  readonly resolve: (event: ServerEvent | undefined) => void;
}

/**
 * A wearable: one WebSocket to `/v4/listen` that sends frames at their due time, answers heartbeats, and keeps the
 * transcript and every event. Used by `cochlea listen`, by the demo and by load tests.
 */
export class Wearable {
  readonly transcript = new Transcript();
  /** Every segment message with the time it arrived, on `realClock`. */
  readonly arrivals: Arrival[] = [];
  readonly events: ServerEvent[] = [];
  /** Resolves when either side has closed the socket; never rejects. */
  readonly closed: Promise<Closing>;
  readonly #socket: WebSocket;
  readonly #listener: WearableListener;
  readonly #waiters = new Set<Waiter>();
  #isClosed = false;
  #renewer: TokenRenewer | undefined;

  private constructor(socket: WebSocket, listener: WearableListener) {
    this.#socket = socket;
    this.#listener = listener;
    socket.on('message', (data, isBinary) => {
      if (!isBinary) this.#receive(String(data));
    });
    // An error is always followed by `close`, which is handled.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.#isClosed = true;
        this.#renewer?.stop();
        for (const waiter of this.#waiters) waiter.resolve(undefined);
        this.#waiters.clear();
        resolve({ code, reason: reason.toString() });
      });
    });
  }

  /**
   * Connects.
   * @throws CochleaError `connection_failed` naming the address without its query, and the HTTP status of a refusal.
   */
  static connect(options: WearableOptions, listener: WearableListener = {}): Promise<Wearable> {
    const url = listenUrl(options);
    const socket = new WebSocket(url, {
      headers: options.token ? { authorization: `Bearer ${options.token}` } : {},
      perMessageDeflate: false,
      handshakeTimeout: options.connectTimeout ?? 10_000,
    });
    // Made before the handshake ends, because the engine's first message may arrive together with its answer.
    const wearable = new Wearable(socket, listener);
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        reject(new CochleaError('connection_failed', { url: `${url.origin}${url.pathname}`, why }));
      };
      socket.once('open', () => {
        wearable.#renew(options);
        resolve(wearable);
      });
      socket.once('error', (error) =>
        fail(error.message || ((error as NodeJS.ErrnoException).code ?? 'refused')),
      );
      socket.once('unexpected-response', (_request, response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          if (chunks.length < 16) chunks.push(chunk);
        });
        response.on('close', () => {
          const body = Buffer.concat(chunks).toString().slice(0, 300);
          fail(`HTTP ${response.statusCode}${body ? ` ${body}` : ''}`);
          socket.terminate();
        });
      });
    });
  }

  /** How often the token was replaced. */
  get renewals(): number {
    return this.#renewer?.renewed ?? 0;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Sends frames at their due time; ends early when the socket closes.
   * @param pace 1 is real time; `max` as fast as the socket takes.
   * @returns the time (`realClock`) at which the first sample was "recorded".
   */
  send(frames: readonly Frame[], pace: number | 'max' = 1): Promise<number> {
    return sendPaced(frames, (frame) => this.sendBinary(frame.bytes), {
      pace,
      ready: () => this.#drained(),
      stopped: () => this.#isClosed,
    });
  }

  /** Sends one binary message. */
  sendBinary(bytes: Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  /** Sends one text message. */
  sendText(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /**
   * Waits for an event, which may have arrived already.
   * @returns the event; undefined when the socket closed before it or `timeout` ms passed.
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

  /** Closes the socket as the mobile application does after a normal stop; resolves when it is closed. */
  async close(code = 1000): Promise<Closing> {
    this.#socket.close(code);
    const hardly = setTimeout(() => this.#socket.terminate(), 5000);
    const closing = await this.closed;
    clearTimeout(hardly);
    return closing;
  }

  /** Cuts the connection without a closing handshake, as a lost radio link does. */
  cut(): void {
    this.#socket.terminate();
  }

  #renew({ token, renewal }: WearableOptions): void {
    if (token && renewal) this.#renewer = new TokenRenewer(token, renewal, (text) => this.sendText(text));
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
      this.#listener.segments?.(segments);
    } else if (isEvent(message)) {
      this.#take(message);
    }
  }

  #take(event: ServerEvent): void {
    if (event.type === 'segments_deleted' && Array.isArray(event.segment_ids)) {
      this.transcript.remove(event.segment_ids as string[]);
    }
    if (event.type === 'auth_response') this.#renewer?.answered(event.success === true);
    this.events.push(event);
    this.#listener.event?.(event);
    for (const waiter of this.#waiters) {
      if (!waiter.wanted(event)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(event);
    }
  }

  async #drained(): Promise<void> {
    while (this.#socket.bufferedAmount > maxBuffered && !this.#isClosed) await realClock.sleep(5);
  }
}
