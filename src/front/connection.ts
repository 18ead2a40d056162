import type uws from 'uWebSockets.js';
import type { CochleaError } from '../errors/index.js';
import { ringClock } from '../ring/index.js';
import type { Caller } from './handshake.js';
import type { ListenQuery } from './query.js';
import type { ShardChannel } from './shard-channel.js';

/** What uWebSockets.js copies onto every socket object. */
export interface SocketData {
  readonly connection: Connection;
}
export type Socket = uws.WebSocket<SocketData>;

export const ConnectionState = {
  /** Web route: accepted, the auth message has not been confirmed. */
  authenticating: 0,
  open: 1,
  /** Closed, or accepted only to be told why it is refused. */
  ended: 2,
} as const;

/** Bytes a client may leave unread before it is cut off. */
export const maxUnread = 1_048_576;
const longestReason = 120;
const encoder = new TextEncoder();

/** A close reason within the 123 bytes of a close frame, cut between characters. */
export const closeReason = (text: string): string => {
  if (encoder.encode(text).length <= longestReason) return text;
  let cut = text.slice(0, longestReason);
  while (encoder.encode(cut).length > longestReason) cut = cut.slice(0, -1);
  return cut;
};

/**
 * One socket, from upgrade to close. Main thread only. The socket object of uWebSockets.js throws on any use after its
 * close event, so every use goes through here.
 */
export class Connection {
  state: number;
  /** `ringClock` of the last message of any kind. */
  lastActivity = ringClock();
  lastPing = this.lastActivity;
  /** Largest binary message, in bytes. */
  frameLimit = 0;
  channel: ShardChannel | null = null;
  slot = -1;
  /** Web route: the auth message is being checked. */
  verifying = false;
  #socket: Socket | null = null;

  constructor(
    readonly query: ListenQuery,
    /** Null on the web route until its caller is known. */
    public caller: Caller | null,
  ) {
    this.state = caller === null ? ConnectionState.authenticating : ConnectionState.open;
  }

  get attached(): boolean {
    return this.#socket !== null;
  }

  attach(socket: Socket): void {
    this.#socket = socket;
  }

  /** The socket is gone; nothing can be sent any more. */
  detach(): void {
    this.#socket = null;
    this.state = ConnectionState.ended;
  }

  /**
   * Sends texts in one write.
   * @returns how many were taken: none when the socket is gone, or when its client has left too much unread and was cut off.
   */
  send(texts: readonly string[]): number {
    const socket = this.#socket;
    if (socket === null) return 0;
    if (socket.getBufferedAmount() > maxUnread) {
      // A close frame would queue behind what the client does not read.
      socket.close();
      return 0;
    }
    socket.cork(() => {
      for (const text of texts) socket.send(text, false, false);
    });
    return texts.length;
  }

  /** Closes with a code; the close event follows before this returns. Harmless when the socket is gone. */
  end(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.state = ConnectionState.ended;
    socket.end(code, closeReason(reason));
  }

  /** Closes with an error of the registry. */
  refuse(error: CochleaError, reason = error.message): void {
    this.end(error.entry.close ?? 1011, reason);
  }
}
