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

/** Texts that may be looked into for an auth message: at once, and in a second. */
const renewalBurst = 5;
const renewalRate = 1;

export const ConnectionState = {
  /** Web route: accepted, the auth message has not been confirmed. */
  authenticating: 0,
  open: 1,
  /** Closed, or accepted only to be told why it is refused. */
  ended: 2,
} as const;

/** Bytes a client may leave unread before it is closed. */
export const maxUnread = fixedLimits.unreadBytes.value;
/** What `send` of the listener answers when it took nothing. */
const dropped = 2;

/**
 * One socket, from upgrade to close. Main thread only. The listener's socket may not be used after its close handler
 * has run, so every use goes through here.
 */
export class Connection {
  state: number;
  /** `ringClock` of the upgrade. */
  readonly openedAt = ringClock();
  /** `ringClock` of the last message of any kind. */
  lastActivity = this.openedAt;
  lastPing = this.openedAt;
  /** Ms after audio in which a message of two bytes or fewer may be audio: of an Opus stream only. */
  smallAudioFor = 0;
  /** `ringClock` of the last message that may be audio. */
  lastAudio = Number.NEGATIVE_INFINITY;
  /** Largest binary message, in bytes. */
  frameLimit = 0;
  /** Of the reservation; null before there is one, and for a socket that is accepted only to be told why it is refused. */
  channel: ShardChannel | null = null;
  slot = -1;
  /** The user for whom the slot was reserved. */
  owner = '';
  /** The shard's channel has been asked to open the session: from then on the slot is the channel's to give back. */
  begun = false;
  /** An auth message is being checked. */
  verifying = false;
  /** Wall clock at which the caller's token ends, in ms; never without a token. */
  expiresAt = Number.POSITIVE_INFINITY;
  /** Wall clock at which the caller's token was made, in ms. */
  issuedAt = Number.POSITIVE_INFINITY;
  /** Bytes of audio that came before the caller was known, and were not passed on. */
  unownedBytes = 0;
  /** What the caller may still send; null while it is unknown, and where it is refused. */
  budget: UserBudget | null = null;
  /** Its client flooded or broke a rule in a text: that counts against the opens of its user. */
  violated = false;
  /** Frames that found no space on their way to the shard, as long as the shard does not know of them. */
  lost: LostFrames | null = null;
  /** Text that may still be sent: of this socket until its caller is known, then of the caller. */
  texts: TextBudget;
  /** How often a text of this socket may be looked into. */
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

  /** The socket is gone; nothing can be sent any more. */
  detach(): void {
    this.#socket = null;
    this.state = ConnectionState.ended;
  }

  /**
   * Sends texts in one write.
   * @returns how many were taken: not all when the socket is gone, or when its client has left too much unread and is
   *   closed for it. The close frame stands behind what it did not read; the listener cuts the connection a few seconds
   *   later if it still does not.
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

/** The connection of a socket of live streams: nothing else is attached to one. */
export const connectionOf = (socket: ListenerSocket): Connection =>
  socket.getUserData().connection as Connection;
