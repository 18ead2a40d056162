import type { Agent } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import { storableText, TokenBucket, within } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import {
  type AudioStream,
  type DeathReason,
  ProviderError,
  type ProviderEvent,
  type StreamRequest,
} from '../shared/index.js';

/** Longest message of a provider, in bytes; a longer one ends its connection. */
const longestMessage = 1_048_576;
/** Bytes a second that a provider may tell of one stream, and how many at once. Words of a second are some hundred bytes. */
const toldPace = 262_144;
const toldBurst = 4_194_304;
/** Bytes that a shorter message counts as, and a ping: each costs time, and a ping an answer, whatever is in it. */
const leastTold = 1024;
/** Most characters of the words of one event, which are of one sentence or some. */
const longestWords = 32_768;
/** Ms between two looks at a connection. */
const lookEvery = 2500;
/** Ms between two pings; a connection that has not answered one when the next is due is lost. */
const pingEvery = 10_000;
/** Ms that the closing handshake may take. */
const closeTimeout = 1000;

/** What a protocol can say and tell while its connection lasts. */
export interface SocketActions {
  /** The provider has accepted the stream. */
  ready(): void;
  /** Words, for the stream's owner. */
  emit(event: ProviderEvent): void;
  /** The provider has told everything. */
  done(): void;
  /** The connection is of no use any more. */
  die(reason: DeathReason): void;
}

/** What is particular to a provider, made for one connection and owned by it. */
export interface SocketProtocol {
  /** Whether an open socket is an accepted stream; else `ready` tells it. */
  readonly servesWhenOpen: boolean;
  /** Text that ends the audio. */
  readonly ending: string;
  /** Whether a close in good order, after the ending was said, means that everything was told. */
  readonly endsByClosing: boolean;
  /** Text that keeps a connection open on which no audio is sent. */
  readonly keepAlive?: string;
  /**
   * Takes a message.
   * @param message parsed JSON.
   * @throws anything when it is not what this provider says; then it is skipped, or the connection is given up after several.
   */
  read(message: unknown): void;
}

export interface AudioSocketOptions {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent | undefined;
  /** Bytes that may wait to be sent. */
  readonly queue: number;
  readonly request: StreamRequest;
  readonly protocol: (actions: SocketActions) => SocketProtocol;
}

/** What an HTTP status in place of the upgrade says. Nothing else of the answer is read. */
const reasonOfStatus = (status: number | undefined): DeathReason => {
  if (status === 401 || status === 403) return 'unusable';
  if (status === 402) return 'quota_exceeded';
  return status === 429 ? 'capacity_full' : 'refused';
};

const capacityReasons: readonly string[] = ['capacity_full', 'allocation_rejected'];

/** One stream on a WebSocket of its own to a provider. All memory and time it takes are bounded here. On the shard's thread only. */
class AudioSocket implements AudioStream {
  readonly #socket: WebSocket;
  readonly #request: StreamRequest;
  readonly #queue: number;
  readonly #protocol: SocketProtocol;
  readonly #told = new TokenBucket(toldPace, toldBurst);
  readonly #timer: NodeJS.Timeout;
  readonly #settled: (reason: DeathReason | null) => void;
  #isServing = false;
  #isEnding = false;
  #isOver = false;
  #awaitsPong = false;
  /** Messages in a row that could not be read. */
  #malformed = 0;
  /** Whether the message that is being read, and its words, can be used. */
  #isReadable = true;
  #lastPing = performance.now();
  #lastSent = performance.now();
  #done: (confirmed: boolean) => void = () => undefined;

  /** @param settled takes null when the stream is accepted, or why it is not. Called again later, which is harmless. */
  constructor(
    Socket: typeof WebSocket,
    options: AudioSocketOptions,
    settled: (reason: DeathReason | null) => void,
  ) {
    const { agent, headers = {}, queue, request, url } = options;
    this.#request = request;
    this.#queue = queue;
    this.#settled = settled;
    this.#protocol = options.protocol({
      ready: () => this.#ready(),
      emit: (event) => this.#emit(event),
      done: () => this.#finished(),
      die: (reason) => this.#die(reason),
    });
    const socket = new Socket(url, {
      headers,
      agent,
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
    // Its text may hold the address, and with it a key: only what kind of end it was is told.
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
    // A view of whole samples: some providers refuse half a sample.
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
    this.#settled(null);
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

  /** What clients are sent is what they will read back, so words are made storable here. */
  #emit(event: ProviderEvent): void {
    if (this.#isOver) return;
    if (event.kind === 'death' || event.kind === 'malformed') this.#request.emit(event);
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

  /** Sends what keeps the connection, and finds out when it is gone. */
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

  /** Everything was told. */
  #finished(): void {
    if (this.#isOver) return;
    if (!this.#isEnding) {
      // The provider ends a stream whose audio goes on.
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
    this.#settled(reason);
    this.#request.emit({ kind: 'death', reason });
  }

  #end(confirmed = false): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#done(confirmed);
  }
}

/**
 * Opens a stream on a WebSocket, with one attempt and no time-out of its own.
 * @returns once the provider has accepted it.
 * @throws ProviderError
 */
export const openAudioSocket = async (options: AudioSocketOptions): Promise<AudioStream> => {
  // Loaded with the first stream, because most installations have no provider over the network.
  const { WebSocket } = await import('ws');
  if (options.request.signal.aborted) throw new ProviderError('refused');
  return new Promise((resolve, reject) => {
    const stream: AudioSocket = new AudioSocket(WebSocket, options, (reason) => {
      if (reason === null) resolve(stream);
      else reject(new ProviderError(reason));
    });
  });
};
