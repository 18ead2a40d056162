import type { FrameBytes } from '../../ring/index.js';

/**
 * The interface between the front and a listener. There are two listeners: uWebSockets.js (`uws/`) and ws on
 * `node:http` (`node/`). Request, response and socket have the methods of uWebSockets.js. The objects of uWebSockets.js
 * thus need no adapter, and a frame causes no additional object.
 */

/** Bytes of a message. The listener owns the memory and may reuse it once the handler has returned. */
export type MessageBytes = FrameBytes;

/** The head of a request. Read it only until the request's handler returns. */
export interface HttpRequest {
  /** The method, in the letter case that the client sent. */
  getMethod(): string;
  /** Returns the request target without its query. */
  getUrl(): string;
  /** Returns the text behind `?` with its percent-encoding; empty or undefined if there is no query. */
  getQuery(): string | undefined;
  /**
   * Returns the first value of a header, or an empty text.
   * @param lowerCaseKey name of the header in lower case.
   */
  getHeader(lowerCaseKey: string): string;
  /** Visits every header in the order received: name in lower case, value decoded as UTF-8. */
  forEach(visit: (name: string, value: string) => void): void;
}

/**
 * Bytes or text of a response. The listener either copies the bytes before the call returns, or owns them from then on.
 */
export type ResponseBytes = string | Uint8Array;

/**
 * The response to a request, and the request's body. No method may be called after the abort, after `end`,
 * `endWithoutBody` or `close`, or after a `tryEnd` that completed the response.
 */
export interface HttpResponse {
  /** Returns the address of the peer, as ASCII text. */
  getRemoteAddressAsText(): ArrayBuffer;
  /**
   * Sets the handler that runs once if the connection is lost before the response is complete. Replaces an earlier
   * handler.
   */
  onAborted(handler: () => void): unknown;
  /**
   * Sets the handler for pieces of the body. The listener owns the memory of the pieces. Call this method before the
   * request's handler returns.
   */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** Pauses the arrival of the request's body; `resume` continues it. */
  pause(): unknown;
  resume(): unknown;
  /** Runs `write` and sends everything that `write` has written in one system call. */
  cork(write: () => void): unknown;
  writeStatus(status: string): HttpResponse;
  writeHeader(name: string, value: ResponseBytes): HttpResponse;
  /**
   * Sends a piece of a body of unknown length.
   * @returns false if the next piece should wait for `onWritable`.
   */
  write(chunk: ResponseBytes): boolean;
  /** Returns the number of bytes of the body written so far. */
  getWriteOffset(): number;
  /**
   * Sends a piece of a body of known total length.
   * @returns whether the complete piece was sent, and whether the response is complete. The caller must pass the unsent
   *   rest again, from the offset that `onWritable` gives.
   */
  tryEnd(chunk: Uint8Array, totalSize: number): [taken: boolean, done: boolean];
  /**
   * Sets the handler that is called with the write offset whenever more may be written. The handler returns true if all
   * bytes that it wrote were sent.
   */
  onWritable(handler: (offset: number) => boolean): unknown;
  /**
   * Completes the response.
   * @param closeConnection whether to close the connection afterwards.
   */
  end(body?: string, closeConnection?: boolean): unknown;
  /** Completes a response to HEAD, or a response whose status has no body. */
  endWithoutBody(reportedContentLength?: number): unknown;
  /** Closes the connection at once. */
  close(): unknown;
}

/**
 * Data of an upgrade request that is needed after the upgrade handler has returned. The request itself is then invalid.
 */
export interface Handshake {
  readonly query: string;
  readonly authorization: string;
  readonly platform: string;
  readonly deviceHash: string;
  readonly key: string;
  readonly protocol: string;
  readonly extensions: string;
}

/** The connection object behind a socket. */
export interface SocketOwner {
  /** Called once, before any event of the socket. */
  attach(socket: ListenerSocket): void;
}

/** Data that a listener stores with every socket. */
export interface SocketData {
  readonly connection: SocketOwner;
}

/** An open WebSocket. No method may be called after its close handler has run. */
export interface ListenerSocket {
  getUserData(): SocketData;
  /** Number of sent bytes that wait in memory, because the system has not accepted them yet. */
  getBufferedAmount(): number;
  /**
   * Sends a text.
   * @returns 2 if the text was dropped because more than `maxBackpressure` bytes are unsent; otherwise 0 or 1.
   */
  send(text: string, isBinary: false, compress: false): number;
  cork(write: () => void): unknown;
  /** Sends a close frame and ends the connection. The close handler runs before this returns. */
  end(code: number, reason: string): unknown;
}

/**
 * Accepts an upgrade with 101, and attaches the connection to its new socket before this call returns. May be called
 * after the upgrade handler has returned.
 * @throws CochleaError when the upgrade is temporarily impossible. The response can still be answered then.
 */
export type AcceptUpgrade = (connection: SocketOwner, handshake: Handshake) => void;

/** Handlers of a WebSocket route. Handlers must not throw. */
export interface StreamRoute {
  readonly upgrade: (response: HttpResponse, request: HttpRequest, accept: AcceptUpgrade) => void;
  /** Handles every message, including frames of audio. */
  readonly message: (socket: ListenerSocket, message: MessageBytes, isBinary: boolean) => void;
  /**
   * Called exactly once for every attached socket.
   * @param code 1006 if no close frame arrived.
   * @param reason UTF-8 of the client's close frame, valid only during the call; may be empty.
   */
  readonly close: (socket: ListenerSocket, code: number, reason: MessageBytes) => void;
}

export type RequestHandler = (response: HttpResponse, request: HttpRequest) => void;

/** The kinds of listeners. */
export type ListenerKind = 'uws' | 'ws';

/** A listener of one kind. Without routes it closes every connection that sends a request. */
export interface ListenerApp {
  readonly kind: ListenerKind;
  /** Name and version of the library that serves the listener: uWebSockets.js or ws. */
  readonly build: string;
  /** Handles upgrades on a path. Other requests on the path go to the request handler. */
  stream(path: string, route: StreamRoute): void;
  /** Handles requests on a path. The path `*` stands for all requests without another handler. */
  any(path: string, handler: RequestHandler): void;
  /**
   * Listens on the configured address.
   * @returns the port.
   * @throws CochleaError port_taken, setting_invalid.
   */
  listen(): Promise<number>;
  /** Closes the listener and every connection. A second call does nothing. */
  close(): void;
}

/**
 * Maximum number of unsent bytes of a socket. The listener drops a message that would exceed this limit.
 * `Connection.send` closes a slow client at a lower number. The bytes between the two limits are for a message that is
 * sent before the close, and for the close frame.
 */
export const maxBackpressure = 4_194_304;

/**
 * Returns a view of a message's bytes, without a copy. The view is never a Buffer. Callers rely on `slice` to copy
 * bytes, and `slice` of a Buffer does not copy.
 */
export const viewOf = (message: MessageBytes): Uint8Array =>
  message instanceof Uint8Array
    ? new Uint8Array(message.buffer, message.byteOffset, message.byteLength)
    : new Uint8Array(message);

/** Returns the message's bytes as a Buffer, without a copy. */
export const bufferOf = (message: MessageBytes): Buffer =>
  message instanceof Uint8Array
    ? Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    : Buffer.from(message);
