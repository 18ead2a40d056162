import { type RawData, WebSocket } from 'ws';
import { endsWithin } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { socketAddress } from '../addresses/index.js';
import { readFault, readReply, type ServiceReply } from './reply.js';

/** Maximum number of bytes in a message from a service. */
const longestMessage = 1_048_576;
/** Timeout of connecting in ms. */
const connectTimeout = 10_000;
/** Maximum number of bytes buffered for a service that reads slowly. */
const mostBuffered = 1_048_576;

/** Message that ends the stream. */
const closeStream = '{"type":"CloseStream"}';

/** The application's side of a connection to a custom transcription service. */
export class ServiceSocket {
  /** Resolves with the close code when the connection has ended. Never rejects. */
  readonly closed: Promise<number>;
  #isOver = false;
  /** Length of the sent audio in ms. */
  #sent = 0;

  private constructor(
    private readonly socket: WebSocket,
    reply: (reply: ServiceReply) => void,
  ) {
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        this.#isOver = true;
        resolve(code);
      });
    });
    socket.on('message', (data: RawData, isBinary) =>
      reply(readReply(isBinary ? undefined : String(data), this.#sent / 1000)),
    );
    socket.on('error', (error: { readonly code?: string }) => {
      const fault = readFault(error);
      if (fault !== undefined) reply(fault);
    });
  }

  /**
   * Connects.
   * @param reply receives the result of reading every message. A message that is too long or is not UTF-8 is also
   * reported, and ends the connection.
   * @throws CochleaError `connection_failed`, which names the address without its query.
   */
  static async open(url: string, reply: (reply: ServiceReply) => void): Promise<ServiceSocket> {
    const address = socketAddress(url);
    const socket = new WebSocket(address, {
      perMessageDeflate: false,
      maxPayload: longestMessage,
      handshakeTimeout: connectTimeout,
    });
    const opened = new ServiceSocket(socket, reply);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      // Errors after the opening also arrive here. They are ignored, because `close` follows each error.
      socket.on('error', (error) => {
        const named = `${address.origin}${address.pathname}`;
        reject(new CochleaError('connection_failed', { url: named, why: error.message || 'refused' }));
      });
    });
    return opened;
  }

  /** Whether the connection has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the connection accepts more audio now. */
  get takes(): boolean {
    return this.socket.bufferedAmount <= mostBuffered;
  }

  /** Sends a frame. @param duration length of the frame's audio in ms */
  send(bytes: Uint8Array, duration: number): void {
    this.#sent += duration;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }

  /** Ends the stream. @returns whether the service closed the connection within `timeout` ms. */
  async end(timeout: number): Promise<boolean> {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(closeStream);
    return endsWithin(this.closed, timeout);
  }

  /** Terminates the connection without a closing handshake. */
  cut(): void {
    this.socket.terminate();
  }
}
