import type { RawData, WebSocket } from 'ws';
import { storableText, TokenBucket, within } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import {
  type AudioStream,
  type DeathReason,
  ProviderError,
  type ProviderEvent,
  queueBytes,
  type StreamRequest,
} from '../shared/index.js';
import { proxyAgent } from './proxy-agent.js';

/** Maximum size of a message of a provider, in bytes. A longer message ends the connection. */
const longestMessage = 1_048_576;
/**
 * Maximum rate of the messages that a provider sends about one stream, in bytes per second. The words of one second
 * take some hundred bytes.
 */
const toldPace = 262_144;
/** Maximum burst of the messages that a provider sends about one stream, in bytes. */
const toldBurst = 4_194_304;
/**
 * Minimum number of bytes with which a message or ping counts against the rate limit `toldPace`. Even an empty message
 * takes time, and a ping also causes a reply.
 */
const leastTold = 1024;
/** Maximum number of characters in the words of one event. Usually they are one or a few sentences. */
const longestWords = 32_768;
/** Interval in ms between two checks of a connection. */
const lookEvery = 2500;
/** Interval in ms between two pings. The connection counts as lost if no pong has arrived when the next ping is due. */
const pingEvery = 10_000;
/** Maximum duration of the closing handshake, in ms. */
const closeTimeout = 1000;

/** Callbacks that a protocol uses during the lifetime of its connection. */
export interface SocketActions {
  /** Reports that the provider has accepted the stream. */
  ready(): void;
  /** Passes words to the owner of the stream. */
  emit(event: ProviderEvent): void;
  /** Reports that the provider has sent all words. */
  done(): void;
  /** Reports that the connection is unusable. */
  die(reason: DeathReason): void;
}

/** The provider-specific part of a connection. Each connection creates and owns one such object. */
export interface SocketProtocol {
  /** If true, the stream counts as accepted as soon as the socket is open. If false, the protocol must call `ready`. */
  readonly servesWhenOpen: boolean;
  /** Text message that tells the provider that the audio has ended. */
  readonly ending: string;
  /** Whether a normal close after `ending` means that the provider has sent all words. */
  readonly endsByClosing: boolean;
  /** Text message that keeps a connection open while no audio is sent. */
  readonly keepAlive?: string;
  /**
   * Handles a message.
   * @param message parsed JSON.
   * @throws anything when the message has an unexpected form. The message is then skipped. Several such messages in
   * a row end the connection.
   */
  read(message: unknown): void;
}

export interface AudioSocketOptions {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly settings: Pick<Settings, 'providerQueue'>;
  readonly request: StreamRequest;
  readonly protocol: (actions: SocketActions) => SocketProtocol;
}

/** Maps the HTTP status of a refused upgrade to a reason. The rest of the response is ignored. */
const reasonOfStatus = (status: number | undefined): DeathReason => {
  if (status === 401 || status === 403) return 'unusable';
  if (status === 402) return 'quota_exceeded';
  return status === 429 ? 'capacity_full' : 'refused';
};

const capacityReasons: readonly string[] = ['capacity_full', 'allocation_rejected'];

/**
 * One stream on its own WebSocket to a provider. This class limits the memory and the time that the stream can take.
 * Runs only on the shard's thread.
 */
class AudioSocket implements AudioStream {
  readonly #socket: WebSocket;
  readonly #request: StreamRequest;
  readonly #queue: number;
  readonly #protocol: SocketProtocol;
  readonly #told = new TokenBucket(toldPace, toldBurst);
  readonly #timer: NodeJS.Timeout;
  #isServing = false;
  #isEnding = false;
  #isOver = false;
  #awaitsPong = false;
  /** Number of consecutive unreadable messages. */
  #malformed = 0;
  /** Whether the message that is being read, and its words, are usable. */
  #isReadable = true;
  #lastPing = performance.now();
  #lastSent = performance.now();
  #done: (confirmed: boolean) => void = () => undefined;

  /**
   * @param settled called with null when the stream is accepted, otherwise with the reason for the failure. Further
   * calls have no effect.
   */
  constructor(
    Socket: typeof WebSocket,
    options: AudioSocketOptions,
    private readonly settled: (reason: DeathReason | null) => void,
  ) {
    const { headers = {}, request, settings, url } = options;
    this.#request = request;
    this.#queue = queueBytes(settings);
    this.#protocol = options.protocol({
      ready: () => this.#ready(),
      emit: (event) => this.#emit(event),
      done: () => this.#finished(),
      die: (reason) => this.#die(reason),
    });
    const socket = new Socket(url, {
      headers,
      agent: proxyAgent(url),
      perMessageDeflate: false,
      maxPayload: longestMessage,
    });
    this.#socket = socket;
    socket.on('open', () => this.#protocol.servesWhenOpen && this.#ready());
    socket.on('message', (data, isBinary) => this.#message(data, isBinary));
    socket.on('ping', () => this.#told.take(leastTold, performance.now()) || this.#die('bad_message'));
    socket.on('pong', () => {
      this.#awaitsPong = false;
    });
    socket.on('unexpected-response', (handshake, response) => {
      handshake.destroy();
      this.#die(reasonOfStatus(response.statusCode));
    });
    // The text of the error may contain the address with a key, so only the kind of failure is passed on.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#die(error.code?.startsWith('WS_ERR') ? 'bad_message' : this.#lostReason()),
    );
    socket.on('close', (code, reason) => this.#closed(code, reason.toString()));
    request.signal.addEventListener('abort', () => this.close(), { once: true });
    this.#timer = setInterval(() => this.#look(), lookEvery);
  }

  send(pcm: Int16Array): boolean {
    const socket = this.#socket;
    if (this.#isOver || this.#isEnding || socket.bufferedAmount > this.#queue) return false;
    if (socket.readyState !== socket.OPEN) return false;
    // Sends complete samples only, because some providers reject half a sample.
    socket.send(Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength), { binary: true });
    this.#lastSent = performance.now();
    return true;
  }

  async finish(timeout: number): Promise<boolean> {
    if (this.#isOver || this.#isEnding) return false;
    const done = new Promise<boolean>((resolve) => {
      this.#done = resolve;
    });
    this.#isEnding = true;
    this.#say(this.#protocol.ending);
    return within(done, timeout, () => false);
  }

  close(): void {
    this.#end();
    this.#socket.terminate();
  }

  #ready(): void {
    if (this.#isOver) return;
    this.#isServing = true;
    this.settled(null);
  }

  #message(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return;
    const bytes = data as Buffer;
    if (!this.#told.take(Math.max(bytes.length, leastTold), performance.now())) {
      this.#die('bad_message');
      return;
    }
    this.#isReadable = !isBinary;
    try {
      if (!isBinary) this.#protocol.read(JSON.parse(bytes.toString()));
    } catch {
      this.#isReadable = false;
    }
    if (this.#isReadable) this.#malformed = 0;
    else if (++this.#malformed >= fixedLimits.providerFaults.value) this.#die('bad_message');
    else if (!this.#isOver) this.#request.emit({ kind: 'malformed' });
  }

  /**
   * Converts words to their storable form first, so that clients later read exactly the text that they first
   * received.
   */
  #emit(event: ProviderEvent): void {
    if (this.#isOver) return;
    if (!('text' in event)) this.#request.emit(event);
    else if (event.text.length > longestWords) this.#isReadable = false;
    else this.#request.emit({ ...event, text: storableText(event.text) });
  }

  #closed(code: number, reason: string): void {
    if (this.#isEnding && this.#protocol.endsByClosing && code <= 1005 && code !== 1002 && code !== 1003) {
      this.#finished();
      return;
    }
    this.#die(capacityReasons.includes(reason) || code === 1013 ? 'capacity_full' : this.#lostReason());
  }

  #lostReason(): DeathReason {
    return this.#isServing ? 'connection_lost' : 'refused';
  }

  /** Sends keep-alive messages and pings, and detects a lost connection. */
  #look(): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const now = performance.now();
    const { keepAlive } = this.#protocol;
    if (keepAlive !== undefined && !this.#isEnding && now - this.#lastSent >= 2 * lookEvery) {
      this.#say(keepAlive);
      this.#lastSent = now;
    }
    if (now - this.#lastPing < pingEvery) return;
    this.#lastPing = now;
    if (this.#awaitsPong) {
      this.#die(this.#lostReason());
      return;
    }
    this.#awaitsPong = true;
    this.#socket.ping();
  }

  #say(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text);
  }

  /** Ends the stream after the provider has sent all words. */
  #finished(): void {
    if (this.#isOver) return;
    if (!this.#isEnding) {
      // The provider ended the stream while audio was still being sent.
      this.#die('connection_lost');
      return;
    }
    this.#end(true);
    this.#socket.close(1000);
    setTimeout(() => this.#socket.terminate(), closeTimeout).unref();
  }

  #die(reason: DeathReason): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.terminate();
    this.settled(reason);
    this.#request.emit({ kind: 'death', reason });
  }

  #end(confirmed = false): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#done(confirmed);
  }
}

/**
 * Opens a stream on a WebSocket. It makes one attempt; the caller sets a timeout with `request.signal`.
 * @returns the stream, as soon as the provider has accepted it.
 * @throws ProviderError
 */
export const openAudioSocket = async (options: AudioSocketOptions): Promise<AudioStream> => {
  // The module is loaded with the first stream, because most installations use no remote provider.
  const { WebSocket } = await import('ws');
  if (options.request.signal.aborted) throw new ProviderError('refused');
  return new Promise((resolve, reject) => {
    const stream: AudioSocket = new AudioSocket(WebSocket, options, (reason) => {
      if (reason === null) resolve(stream);
      else reject(new ProviderError(reason));
    });
  });
};
