import type { FrameBytes } from '../../ring/index.js';

/**
 * The interface between the front and a listener. There are two listeners: uWebSockets.js (`uws/`) and ws on
 * `node:http` (`node/`). Request, response and socket have the shapes of uWebSockets.js. So its own objects need no
 * adapter, and a frame needs no object beyond those of the library.
 */

/** Bytes of a message. The listener owns the memory and may reuse it when the handler has returned. */
export type MessageBytes = FrameBytes;

/** The head of a request. It may be read only until its handler returns. */
export interface HttpRequest {
  /** In any letter case. */
  getMethod(): string;
  /** The target without its query. */
  getUrl(): string;
  /** The text behind `?`, undecoded; empty or undefined without a query. */
  getQuery(): string | undefined;
  /** First value of a header, or an empty text. @param lowerCaseKey name of the header in lower case. */
  getHeader(lowerCaseKey: string): string;
  /** Visits every header in the order received: name in lower case, value decoded as UTF-8. */
  forEach(visit: (name: string, value: string) => void): void;
}

/** Bytes or text of a response. Bytes are copied before the call returns, or belong to the listener from then on. */
export type ResponseBytes = string | Uint8Array;

/**
 * The answer to a request, and the request's body. After the abort, `end`, `endWithoutBody`, `close` or a completed
 * `tryEnd`, no method may be called.
 */
export interface HttpResponse {
  /** Address of the peer, as ASCII text. */
  getRemoteAddressAsText(): ArrayBuffer;
  /** Sets the handler for a connection that is lost before the answer is complete; it runs once. Replaces an earlier handler. */
  onAborted(handler: () => void): unknown;
  /** Sets the handler for pieces of the body; the listener owns their memory. Call it before the request's handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** Stops and restarts the flow of the body. */
  pause(): unknown;
  resume(): unknown;
  /** Runs `write` and sends its output together. */
  cork(write: () => void): unknown;
  writeStatus(status: string): HttpResponse;
  writeHeader(name: string, value: ResponseBytes): HttpResponse;
  /** Sends a piece of a body of unknown length. @returns false when the next piece should wait for `onWritable`. */
  write(chunk: ResponseBytes): boolean;
  /** Bytes of the body written so far. */
  getWriteOffset(): number;
  /**
   * Sends a piece of a body whose whole length is known.
   * @returns whether the whole piece was sent, and whether the answer is complete. The caller must pass the rest of the
   * piece again, from the offset that `onWritable` gives.
   */
  tryEnd(chunk: Uint8Array, totalSize: number): [taken: boolean, done: boolean];
  /** Sets the handler that is called with the offset whenever more may be written. It returns whether all it wrote was sent. */
  onWritable(handler: (offset: number) => boolean): unknown;
  /** @param closeConnection whether to close the connection after the answer. */
  end(body?: string, closeConnection?: boolean): unknown;
  /** Ends an answer to HEAD, or one with a status that has no body. */
  endWithoutBody(reportedContentLength?: number): unknown;
  /** Cuts the connection. */
  close(): unknown;
}

/** The data of an upgrade request that is needed after its handler returns, when the request itself is gone. */
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

/** Data that a listener keeps with every socket. */
export interface SocketData {
  readonly connection: SocketOwner;
}

/** An open WebSocket. After its close handler has run no method may be called. */
export interface ListenerSocket {
  getUserData(): SocketData;
  /** Bytes sent that the system has not accepted yet. */
  getBufferedAmount(): number;
  /** Sends a text. @returns 2 if it was dropped because more than `maxBackpressure` is unsent; otherwise 0 or 1. */
  send(text: string, isBinary: false, compress: false): number;
  cork(write: () => void): unknown;
  /** Sends a close frame and ends the connection; the close handler runs before this returns. */
  end(code: number, reason: string): unknown;
}

/**
 * Answers 101, and attaches the connection to its socket before it returns. It may be called after the upgrade handler
 * has returned.
 * @throws CochleaError when the upgrade is impossible at the moment; the response can still be answered then.
 */
export type AcceptUpgrade = (connection: SocketOwner, handshake: Handshake) => void;

/** Handlers of a WebSocket route. None may throw. */
export interface StreamRoute {
  readonly upgrade: (response: HttpResponse, request: HttpRequest, accept: AcceptUpgrade) => void;
  /** Called for every message, including frames of audio. */
  readonly message: (socket: ListenerSocket, message: MessageBytes, isBinary: boolean) => void;
  /**
   * Called exactly once for every attached socket.
   * @param code 1006 when no close frame came.
   * @param reason UTF-8 of the client's close frame, valid during the call only; may be empty.
   */
  readonly close: (socket: ListenerSocket, code: number, reason: MessageBytes) => void;
}

export type RequestHandler = (response: HttpResponse, request: HttpRequest) => void;

/** The values of `COCHLEA_LISTENER` other than `auto`. */
export type ListenerKind = 'uws' | 'ws';

/** A listener of one kind. While it has no routes, it closes every connection that sends a request. */
export interface ListenerApp {
  readonly kind: ListenerKind;
  /** Library and version. */
  readonly build: string;
  /** Handles upgrades of a path. Other requests of the path go to the request handler. */
  stream(path: string, route: StreamRoute): void;
  /** Handles requests of a path; `*` for all requests without another handler. */
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
 * Most unsent bytes of messages for a socket. Further messages are dropped. `Connection.send` closes a client earlier,
 * so that space remains for a message sent at once and for the close frame.
 */
export const maxBackpressure = 4_194_304;

/** A view of a message's bytes, without a copy. Never a Buffer, because `slice` of a Buffer does not copy. */
export const viewOf = (message: MessageBytes): Uint8Array =>
  message instanceof Uint8Array
    ? new Uint8Array(message.buffer, message.byteOffset, message.byteLength)
    : new Uint8Array(message);

/** The message's bytes as a Buffer, without a copy. */
export const bufferOf = (message: MessageBytes): Buffer =>
  message instanceof Uint8Array
    ? Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    : Buffer.from(message);
