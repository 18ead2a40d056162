import { readMessage, type StreamMessage } from './messages.js';
import { frameSeconds, type RecordedAudio } from './recorded-audio.js';
import type { StreamSocket, StreamTime } from './socket.js';

/** A token that opens streams. */
export interface StreamToken {
  readonly token: string;
  /** Seconds until the token expires. */
  readonly expires_in: number;
}

/** Address, parameters and credentials with which a stream connects to the engine. */
export interface StreamAccess {
  /** Address of `/v4/web/listen`, without a query. */
  readonly address: string;
  /** Query parameters, such as `language` and `source`. The connection adds codec, rate, channels and clock. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Id of this recording: 1 to 64 of the characters `A-Za-z0-9_-`. Each recording needs a new id. */
  readonly clock: string;
  /**
   * Number of channels; 1 by default. The samples of 2 channels are interleaved, and the engine separates their words.
   */
  readonly channels?: 1 | 2;
  /** Distinguishes this device from other devices of the user. */
  readonly deviceId?: string;
  readonly open: (address: string) => StreamSocket;
  /**
   * Returns a new token.
   * @throws SignedOut if the user must sign in again. After any other error the stream asks again later.
   */
  readonly token: () => Promise<StreamToken>;
  readonly time: StreamTime;
}

export interface ConnectionOptions extends StreamAccess {
  readonly firstToken: StreamToken;
  /** The conversation to continue; null to let the engine choose. */
  readonly conversation: string | null;
  readonly audio: RecordedAudio;
  /** Called when the engine has named the position from which it wants audio, and before audio is sent. */
  readonly onReady: () => void;
  readonly onMessage: (message: StreamMessage) => void;
  /** Called once. @param readyFor ms since `onReady`; undefined if the engine was never ready. */
  readonly onClose: (code: number, reason: string, readyFor: number | undefined) => void;
}

/** One connection of a live stream. */
export interface Connection {
  readonly isReady: boolean;
  /** Whether `end` was called. */
  readonly ended: boolean;
  /** Sends waiting audio, up to the engine's limit of audio per second. */
  sendAudio(): void;
  /** Sends what is due: audio, keep-alives and a new token. Call it a few times a second. */
  tick(): void;
  send(message: object): boolean;
  /** Closes the connection, because audio that it has not sent yet was dropped. Then calls `onClose`. */
  restart(): void;
  /** Ends the conversation and closes. */
  end(): void;
  close(code: number): void;
}

/** Maximum ms to wait until a token is accepted, and until a close is answered. */
const acceptTimeout = 15_000;
/**
 * If this client has sent nothing for this many ms, it sends a keep-alive. The engine closes after 90 s without a
 * message.
 */
const keepAliveAfter = 10_000;
/**
 * If the engine has sent nothing for this many ms, the connection counts as lost. The engine sends `ping` every 10 s.
 */
const silentAfter = 35_000;
/** Seconds of audio that a new connection may send at once. The engine allows 120. */
const burst = 100;
/** Seconds of audio that may be sent in each second after the burst. The engine allows 4. */
const pace = 3;
/** Maximum bytes that wait in the socket. They are lost if the connection is lost. */
const mostBuffered = 262_144;
/** Share of a token's life after which it is renewed. */
const renewAfter = 0.7;
/** Ms from a failed attempt to renew a token until the next attempt. */
const renewAgain = 10_000;

class OneConnection implements Connection {
  ended = false;
  #readyAt: number | undefined;
  #closed = false;
  #isAccepted = false;
  readonly #socket: StreamSocket;
  #sentAt: number;
  #receivedAt: number;
  #budget = burst;
  #budgetAt: number;
  #renewAt: number;
  #renewing = false;
  #endedAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: ConnectionOptions) {
    const now = options.time.now();
    [this.#sentAt, this.#receivedAt, this.#budgetAt] = [now, now, now];
    this.#renewAt = now + options.firstToken.expires_in * 1000 * renewAfter;
    const query = new URLSearchParams({
      ...options.parameters,
      codec: 'pcm16',
      sample_rate: '16000',
      ...(options.channels === 2 && { channels: '2', stereo: 'separate' }),
      stream_clock: options.clock,
      confirm: '1',
      clock_at: String(options.audio.position),
      ...(options.conversation === null ? {} : { client_conversation_id: options.conversation }),
    });
    const socket = options.open(`${options.address}?${query}`);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.#authenticate(options.firstToken.token);
    socket.onmessage = ({ data }: { data: unknown }) => this.#received(data);
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => this.#over(code, reason);
    // After an error the socket also closes, and `onclose` handles that.
    socket.onerror = () => undefined;
  }

  get isReady(): boolean {
    return this.#readyAt !== undefined && !this.#closed;
  }

  sendAudio(): void {
    if (!this.isReady || this.ended) return;
    const { audio, time } = this.options;
    const now = time.now();
    this.#budget = Math.min(burst, this.#budget + ((now - this.#budgetAt) / 1000) * pace);
    this.#budgetAt = now;
    while (this.#budget >= frameSeconds && this.#socket.bufferedAmount < mostBuffered) {
      const frame = audio.take();
      if (frame === undefined) return;
      this.#budget -= frameSeconds;
      this.#put(frame);
    }
  }

  tick(): void {
    const now = this.options.time.now();
    const isSilent =
      !this.ended && now - this.#receivedAt >= (this.#isAccepted ? silentAfter : acceptTimeout);
    if (isSilent) this.#socket.close();
    if (isSilent || now - this.#endedAt >= acceptTimeout) this.#over(1006, '');
    if (!this.isReady || this.ended) return;
    this.sendAudio();
    if (now - this.#sentAt >= keepAliveAfter) this.#put(new Uint8Array(1));
    if (now >= this.#renewAt && !this.#renewing) void this.#renew();
  }

  send(message: object): boolean {
    if (!this.isReady) return false;
    this.#put(JSON.stringify(message));
    return true;
  }

  restart(): void {
    this.#socket.close(4000);
    this.#over(1006, '');
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#endedAt = this.options.time.now();
    this.#put(JSON.stringify({ type: 'stop' }));
    this.#socket.close(1000, 'stop');
  }

  close(code: number): void {
    this.#closed = true;
    this.#socket.close(code);
  }

  #put(data: string | Uint8Array<ArrayBuffer>): void {
    this.#sentAt = this.options.time.now();
    this.#socket.send(data);
  }

  #authenticate(token: string): void {
    const { deviceId } = this.options;
    this.#put(JSON.stringify({ type: 'auth', token, ...(deviceId && { device_id_hash: deviceId }) }));
  }

  #received(data: unknown): void {
    if (this.#closed || typeof data !== 'string') return;
    this.#receivedAt = this.options.time.now();
    const message = readMessage(data);
    if (message === undefined) return;
    // After `success: false` the engine closes a new stream, and keeps the old token of an open one.
    if (message.type === 'auth_response') this.#isAccepted ||= message.success;
    else {
      const isFirst = message.type === 'conversation_session' && message.status === 'in_progress';
      if (isFirst && this.#readyAt === undefined) {
        this.#readyAt = this.#receivedAt;
        this.options.audio.resume(message.resume_at_ms);
        this.options.onReady();
      }
      this.options.onMessage(message);
      this.sendAudio();
    }
  }

  async #renew(): Promise<void> {
    this.#renewing = true;
    const { token, time } = this.options;
    try {
      const renewed = await token();
      this.#renewAt = time.now() + renewed.expires_in * 1000 * renewAfter;
      if (this.isReady && !this.ended) this.#authenticate(renewed.token);
    } catch {
      // The old token stays valid for some time. When it expires, the engine closes with 4001.
      this.#renewAt = time.now() + renewAgain;
    }
    this.#renewing = false;
  }

  #over(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    const { time, onClose } = this.options;
    onClose(code, reason, this.#readyAt === undefined ? undefined : time.now() - this.#readyAt);
  }
}

/** Opens a connection. It authenticates and sends audio by itself. */
export const openConnection = (options: ConnectionOptions): Connection => new OneConnection(options);
