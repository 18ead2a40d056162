import { closeReason, TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ClientAddress } from '../../identity/index.js';
import { ringClock } from '../../ring/index.js';
import type { LostFrames } from '../../wire/index.js';
import type { ListenerSocket } from '../listener/index.js';
import { type ShardChannel, TextBudget, type TextLimits, type UserBudget } from '../shards/index.js';
import type { Caller } from './handshake.js';
import type { ListenQuery } from './query.js';

/** How many texts are checked for an auth message: at once, and per second. */
const renewalBurst = 5;
const renewalRate = 1;

export const ConnectionState = {
  /** Web route: accepted, but the auth message is not yet confirmed. */
  authenticating: 0,
  open: 1,
  /** Closed, or accepted only to receive an error. */
  ended: 2,
} as const;

/** Unread bytes after which a client is closed. */
export const maxUnread = fixedLimits.unreadBytes.value;
/** Result of the listener's `send` for a dropped text. */
const dropped = 2;

/**
 * One socket, from upgrade to close. The listener's socket must not be used after its close handler, so all uses go
 * through this class. Main thread only.
 */
export class Connection {
  state: number;
  /** `ringClock` of the upgrade. */
  readonly openedAt = ringClock();
  /** `ringClock` of the last message of any kind. */
  lastActivity = this.openedAt;
  lastPing = this.openedAt;
  /** Ms after audio in which a message of at most two bytes may be audio. Set for Opus streams only. */
  smallAudioFor = 0;
  /** `ringClock` of the last message that may be audio. */
  lastAudio = Number.NEGATIVE_INFINITY;
  /** Largest binary message, in bytes. */
  frameLimit = 0;
  /** Channel of the reservation. Null before it, and for a socket that is accepted only to receive an error. */
  channel: ShardChannel | null = null;
  slot = -1;
  /** The user for whom the slot was reserved. */
  owner = '';
  /** Whether the shard's channel was asked to open the session. From then on the channel releases the slot. */
  begun = false;
  /** Whether an auth message is being checked. */
  verifying = false;
  /** Wall clock at which the caller's token ends, in ms; infinite without a token. */
  expiresAt = Number.POSITIVE_INFINITY;
  /** Wall clock at which the caller's token was issued, in ms. */
  issuedAt = Number.POSITIVE_INFINITY;
  /** Bytes of audio that came before the caller was known, and were dropped. */
  unownedBytes = 0;
  /** The caller's remaining budget; null while the caller is unknown or refused. */
  budget: UserBudget | null = null;
  /** Whether its client flooded or broke a rule in a text. That counts against the user's rate of opens. */
  violated = false;
  /** Frames dropped for lack of space on the way to the shard, until the shard is notified. */
  lost: LostFrames | null = null;
  /** Budget for text: the socket's own until its caller is known, then the caller's. */
  texts: TextBudget;
  /** Limits how often a text of this socket is checked for an auth message. */
  readonly renewals: TokenBucket;
  #socket: ListenerSocket | null = null;

  constructor(
    readonly query: ListenQuery,
    /** Null on the web route until its caller is known. */
    public caller: Caller | null,
    readonly client: ClientAddress,
    limits: TextLimits,
  ) {
    this.state = caller === null ? ConnectionState.authenticating : ConnectionState.open;
    this.expiresAt = caller?.expiresAt ?? Number.POSITIVE_INFINITY;
    this.issuedAt = caller?.issuedAt ?? Number.POSITIVE_INFINITY;
    this.texts = new TextBudget(limits);
    this.renewals = new TokenBucket(renewalRate, renewalBurst);
  }

  get attached(): boolean {
    return this.#socket !== null;
  }

  attach(socket: ListenerSocket): void {
    this.#socket = socket;
  }

  /** Records that the socket is gone; nothing can be sent any more. */
  detach(): void {
    this.#socket = null;
    this.state = ConnectionState.ended;
  }

  /**
   * Sends texts in one write.
   * @returns how many were accepted. Fewer than all if the socket is gone, or if its client has too much unread and is
   * closed for it. The close frame follows the unread data. If the client still does not read, the listener cuts the
   * connection a few seconds later.
   */
  send(texts: readonly string[]): number {
    const socket = this.#socket;
    if (socket === null) return 0;
    let taken = 0;
    if (socket.getBufferedAmount() <= maxUnread) {
      socket.cork(() => {
        while (taken < texts.length && socket.send(texts[taken]!, false, false) !== dropped) taken++;
      });
    }
    if (taken < texts.length) this.refuse(new CochleaError('slow_reader', { limit: maxUnread }));
    return taken;
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

/** The connection of a live stream's socket. No other object is attached to such a socket. */
export const connectionOf = (socket: ListenerSocket): Connection =>
  socket.getUserData().connection as Connection;
