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

/** Number of texts that are checked for an auth message: at once, and per second. */
const renewalBurst = 5;
const renewalRate = 1;

export const ConnectionState = {
  /** Web route: accepted, but the auth message is not yet confirmed. */
  authenticating: 0,
  open: 1,
  /** Closed, or accepted only to receive an error. */
  ended: 2,
} as const;

/** Bytes sent to a client that the client may leave unread. With more, its socket is closed. */
export const maxUnread = fixedLimits.unreadBytes.value;
/** Result of the listener's `send` for a dropped text. */
const dropped = 2;

/**
 * One socket, from upgrade to close. The listener's socket must not be used after its close handler has run, so this
 * class guards all uses. Main thread only.
 */
export class Connection {
  state: number;
  /** Time of the upgrade by `ringClock`. */
  readonly openedAt = ringClock();
  /** Time of the last message of any kind, by `ringClock`. */
  lastActivity = this.openedAt;
  lastPing = this.openedAt;
  /** Ms after audio in which a message of at most two bytes may be audio. Set only for Opus streams. */
  smallAudioFor = 0;
  /** Time of the last message that may be audio, by `ringClock`. */
  lastAudio = Number.NEGATIVE_INFINITY;
  /** Maximum length of a binary message, in bytes. */
  frameLimit = 0;
  /** Channel on which the slot is reserved. Null before the reservation, and for a socket that is accepted only to receive an error. */
  channel: ShardChannel | null = null;
  slot = -1;
  /** The user for whom the slot was reserved. */
  owner = '';
  /** Whether the channel was asked to open the session. From then on the channel releases the slot. */
  begun = false;
  /** Whether an auth message is being checked. */
  verifying = false;
  /** Wall clock in ms at which the caller's token expires; infinite if there is no token. */
  expiresAt = Number.POSITIVE_INFINITY;
  /** Wall clock in ms at which the caller's token was issued; infinite while the caller is unknown. */
  issuedAt = Number.POSITIVE_INFINITY;
  /** Number of bytes of audio that arrived before the caller was known, and were dropped. */
  unownedBytes = 0;
  /** The caller's budget; null while the caller is unknown or refused. */
  budget: UserBudget | null = null;
  /** Whether the client sent too many messages, or a text that broke a rule. Such a socket reduces the user's allowance of opens. */
  violated = false;
  /** Frames that were dropped because the ring was full, until the shard is notified. */
  lost: LostFrames | null = null;
  /** Budget for texts: the socket's own budget until the caller is known, then the caller's. */
  texts: TextBudget;
  /** Limits how often a text of this socket is checked for an auth message. */
  readonly renewals: TokenBucket;
  #socket: ListenerSocket | null = null;

  constructor(
    readonly query: ListenQuery,
    /** Null on the web route until the caller is known. */
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

  /** Records that the socket is gone. Nothing can be sent afterwards. */
  detach(): void {
    this.#socket = null;
    this.state = ConnectionState.ended;
  }

  /**
   * Sends texts in one write.
   * @returns the number of accepted texts. It is lower than the number of texts if the socket is gone, or if it is
   * closed because its client has left too many bytes unread. The close frame follows these bytes. If the client still
   * does not read, the listener closes the connection a few seconds later.
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

  /** Closes the socket with a code. The close event follows before this returns. Does nothing when the socket is gone. */
  end(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.state = ConnectionState.ended;
    socket.end(code, closeReason(reason));
  }

  /** Closes the socket with an error of the registry. */
  refuse(error: CochleaError, reason = error.message): void {
    this.end(error.entry.close ?? 1011, reason);
  }
}

/** Returns the connection of a live stream's socket. No other object is attached to such a socket. */
export const connectionOf = (socket: ListenerSocket): Connection =>
  socket.getUserData().connection as Connection;
