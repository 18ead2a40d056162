import { connect as connectSocket, type Socket } from 'node:net';
import { within } from '../../../src/common/within.js';
import type {
  AudioStream,
  Provider,
  ProviderCapabilities,
  StreamRequest,
} from '../../../src/stt/shared/provider.js';
import { type DeathReason, ProviderError } from '../../../src/stt/shared/provider-error.js';
import { encode, encodeJson, type FromServer, MessageKind, MessageReader } from './protocol.js';

export interface StubProviderOptions {
  readonly name: string;
  /** Path of the socket of the stub's process. */
  readonly socket: string;
  readonly capabilities?: Partial<ProviderCapabilities>;
  /** Maximum number of bytes that may wait for sending. */
  readonly queue?: number;
}

const errors: Readonly<Record<'quota' | 'capacity' | 'server', DeathReason>> = {
  quota: 'quota_exceeded',
  capacity: 'capacity_full',
  server: 'provider_error',
};

/** One stream to the stub, over its own socket. */
class StubConnection implements AudioStream {
  readonly #socket: Socket;
  readonly #request: StreamRequest;
  readonly #queue: number;
  readonly #ready: (reason?: DeathReason) => void;
  #isReady = false;
  #isOver = false;
  #done: (confirmed: boolean) => void = () => undefined;

  constructor(socket: Socket, request: StreamRequest, queue: number, ready: (reason?: DeathReason) => void) {
    this.#socket = socket;
    this.#request = request;
    this.#queue = queue;
    this.#ready = ready;
    const { id, user, language, signal } = request;
    const reader = new MessageReader((kind, body) => this.#message(kind, body));
    socket.on('data', (bytes) => reader.read(bytes));
    socket.on('error', () => this.#die(this.#isReady ? 'connection_lost' : 'refused'));
    socket.on('close', () => this.#die(this.#isReady ? 'connection_lost' : 'refused'));
    signal.addEventListener('abort', () => this.close(), { once: true });
    socket.write(encodeJson({ type: 'hello', id, user, language }));
  }

  send(pcm: Int16Array): boolean {
    if (this.#isOver || this.#socket.writableLength > this.#queue) return false;
    this.#socket.write(encode(MessageKind.audio, new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength)));
    return true;
  }

  async finish(timeout: number): Promise<boolean> {
    if (this.#isOver) return false;
    const done = new Promise<boolean>((resolve) => {
      this.#done = resolve;
    });
    this.#socket.write(encodeJson({ type: 'finish' }));
    return within(done, timeout, () => false);
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
    this.#done(false);
  }

  #message(kind: number, body: Buffer): void {
    if (this.#isOver) return;
    let message: FromServer;
    try {
      if (kind !== MessageKind.json) throw new Error('kind');
      message = JSON.parse(body.toString()) as FromServer;
    } catch {
      this.#die('bad_message');
      return;
    }
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        this.#ready();
        return;
      case 'interim':
      case 'final': {
        const { type: kindOfWords, ...words } = message;
        this.#request.emit({ kind: kindOfWords, ...words });
        return;
      }
      case 'done':
        this.#isOver = true;
        this.#socket.end();
        this.#done(true);
        return;
      case 'error':
        this.#die(errors[message.reason]);
    }
  }

  #die(reason: DeathReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroy();
    this.#done(false);
    this.#ready(reason);
    this.#request.emit({ kind: 'death', reason });
  }
}

/** Returns a provider whose streams are sockets to the stub's process. */
export const createStubProvider = (options: StubProviderOptions): Provider => ({
  name: options.name,
  capabilities: {
    audio: 'everything',
    supports: () => true,
    diarizes: false,
    interim: true,
    wordTimes: false,
    ...options.capabilities,
  },
  connect: (request) =>
    new Promise((resolve, reject) => {
      const socket = connectSocket(options.socket);
      const stream: StubConnection = new StubConnection(
        socket,
        request,
        options.queue ?? 262_144,
        (reason) => {
          if (reason === undefined) resolve(stream);
          else reject(new ProviderError(reason));
        },
      );
    }),
});
