import type { FrameBytes } from '../../ring/index.js';

/**
 * What the front needs of a listener. There are two: uWebSockets.js (`uws/`) and ws on `node:http` (`node/`). The shapes of
 * request, response and socket are those of uWebSockets.js, as far as they are used, so that its own objects pass through
 * without an adapter and a frame costs no object more than the library makes.
 */

/** Bytes of a message. Their memory is the listener's and may be used again when the handler has returned. */
export type MessageBytes = FrameBytes;

/** The head of a request. It may be read only until its handler returns. */
export interface HttpRequest {
  /** In any case. */
  getMethod(): string;
  /** The target without its query. */
  getUrl(): string;
  /** What follows `?`, undecoded; empty or undefined where there is none. */
  getQuery(): string | undefined;
  /** First value of a header, or an empty text. @param lowerCaseKey its name in lower case. */
  getHeader(lowerCaseKey: string): string;
  /** Visits every header in the order received: name in lower case, value decoded as UTF-8. */
  forEach(visit: (name: string, value: string) => void): void;
}

/** Bytes or text of a response. Bytes are copied before the call returns, or belong to the listener from then on. */
export type ResponseBytes = string | Uint8Array;

/**
 * The answer to a request, and the request's body. Nothing may be called after `end`, `endWithoutBody`, `close`, a `tryEnd`
 * that was done, or the abort.
 */
export interface HttpResponse {
  /** Address of the connection's other end, as text in ASCII. */
  getRemoteAddressAsText(): ArrayBuffer;
  /** Called once when the connection is gone before the answer is complete. A later handler replaces an earlier one. */
  onAborted(handler: () => void): unknown;
  /** Called with every piece of the body; the memory is the listener's. Must be called before the request's handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** Stops and restarts the flow of the body. */
  pause(): unknown;
  resume(): unknown;
  /** Runs `write` and sends what it wrote together. */
  cork(write: () => void): unknown;
  writeStatus(status: string): HttpResponse;
  writeHeader(name: string, value: ResponseBytes): HttpResponse;
  /** Sends a piece of a body without a known length. @returns false when the next piece should wait for `onWritable`. */
  write(chunk: ResponseBytes): boolean;
  /** Bytes of the body taken so far. */
  getWriteOffset(): number;
  /**
   * Sends a piece of a body whose whole length is known.
   * @returns whether all of it has left, and whether the answer is complete. What was not taken has to be given again, from
   *   the offset that `onWritable` tells.
   */
  tryEnd(chunk: Uint8Array, totalSize: number): [taken: boolean, done: boolean];
  /** Called with the offset each time when more may be written. It returns whether what it wrote has left. */
  onWritable(handler: (offset: number) => boolean): unknown;
  /** @param closeConnection whether the connection ends after the answer. */
  end(body?: string, closeConnection?: boolean): unknown;
  /** Ends an answer to HEAD, or one whose status has no body. */
  endWithoutBody(reportedContentLength?: number): unknown;
  /** Cuts the connection. */
  close(): unknown;
}

/** Everything of an upgrade request that is needed after its handler has returned: the request itself is gone then. */
export interface Handshake {
  readonly query: string;
  readonly authorization: string;
  readonly platform: string;
  readonly deviceHash: string;
  readonly key: string;
  readonly protocol: string;
  readonly extensions: string;
}

/** What a socket belongs to. */
export interface SocketOwner {
  /** Called once, before anything of the socket is told. */
  attach(socket: ListenerSocket): void;
}

/** What a listener keeps with every socket. */
export interface SocketData {
  readonly connection: SocketOwner;
}

/** An open WebSocket. Nothing may be called after its close handler has run. */
export interface ListenerSocket {
  getUserData(): SocketData;
  /** Bytes that were sent and that the system has not taken. */
  getBufferedAmount(): number;
  /** Sends a text. @returns 2 when it was dropped, because more than `maxBackpressure` is unsent; else 0 or 1. */
  send(text: string, isBinary: false, compress: false): number;
  cork(write: () => void): unknown;
  /** Sends a close frame and ends the connection; the close handler runs before this returns. */
  end(code: number, reason: string): unknown;
}

/**
 * Answers 101, and attaches the connection to its socket before it returns. It may be called after the upgrade handler has
 * returned.
 * @throws CochleaError when the upgrade is not possible just now; the response can still be answered then.
 */
export type AcceptUpgrade = (connection: SocketOwner, handshake: Handshake) => void;

/** Handlers of a WebSocket route. None may throw. */
export interface StreamRoute {
  readonly upgrade: (response: HttpResponse, request: HttpRequest, accept: AcceptUpgrade) => void;
  /** Called for every message, frames of audio included. */
  readonly message: (socket: ListenerSocket, message: MessageBytes, isBinary: boolean) => void;
  /**
   * Called exactly once for every socket that was attached.
   * @param code 1006 when no close frame came.
   * @param reason UTF-8 of the client's close frame, valid during the call only; empty where there is none.
   */
  readonly close: (socket: ListenerSocket, code: number, reason: MessageBytes) => void;
}

export type RequestHandler = (response: HttpResponse, request: HttpRequest) => void;

/** The names of `COCHLEA_LISTENER`, apart from `auto`. */
export type ListenerKind = 'uws' | 'ws';

/** A listener of one kind. Until it has routes, it closes every connection that sends a request. */
export interface ListenerApp {
  readonly kind: ListenerKind;
  /** Library and version. */
  readonly build: string;
  /** Upgrades of a path. Whatever else asks for the path goes to the handler of requests. */
  stream(path: string, route: StreamRoute): void;
  /** Requests of a path; `*` for all that have no other handler. */
  any(path: string, handler: RequestHandler): void;
  /**
   * Listens where the settings say.
   * @returns the port.
   * @throws CochleaError port_taken, setting_invalid.
   */
  listen(): Promise<number>;
  /** Ends the listener and every connection. A second call does nothing. */
  close(): void;
}

/**
 * Bytes of messages that a socket may have unsent. What is sent over it is dropped. `Connection.send` closes a client earlier,
 * so that space is left for what was sent at once, and for the close frame.
 */
export const maxBackpressure = 4_194_304;

/** A view of a message's bytes, without a copy. It is never a Buffer, whose `slice` would not copy either. */
export const viewOf = (message: MessageBytes): Uint8Array =>
  message instanceof Uint8Array
    ? new Uint8Array(message.buffer, message.byteOffset, message.byteLength)
    : new Uint8Array(message);

/** The same as a Buffer. */
export const bufferOf = (message: MessageBytes): Buffer =>
  message instanceof Uint8Array
    ? Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    : Buffer.from(message);
