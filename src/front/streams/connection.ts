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

/** Number of texts of an open socket that may be checked for an auth message at once. */
const renewalBurst = 5;
/** Number of texts of an open socket that may be checked for an auth message per second, after `renewalBurst` texts. */
const renewalRate = 1;

export const ConnectionState = {
  /** State on the web route before the auth message is confirmed. */
  authenticating: 0,
  open: 1,
  /** State after the close, and of a socket that is accepted only to receive an error. */
  ended: 2,
} as const;

/** Maximum number of sent bytes that a client may leave unread. With more unread bytes, its socket is closed. */
export const maxUnread = fixedLimits.unreadBytes.value;
/** Result of the listener's `send` if it dropped the text. */
const dropped = 2;

/**
 * One socket, from upgrade to close. The listener's socket must not be used after its close handler has run, so all
 * uses go through this class. Main thread only.
 */
export class Connection {
  state: number;
  /** Time of the upgrade by `ringClock`. */
  readonly openedAt = ringClock();
  /** Time of the last message of any kind, by `ringClock`. */
  lastActivity = this.openedAt;
  lastPing = this.openedAt;
  /** For this many ms after audio, a message of at most two bytes may also be audio. Set only for Opus streams. */
  smallAudioFor = 0;
  /** Time by `ringClock` of the last message that may be audio. */
  lastAudio = Number.NEGATIVE_INFINITY;
  /** Maximum length of a binary message, in bytes. */
  frameLimit = 0;
  /**
   * Channel of the shard on which a slot is reserved. Null before the reservation, and for a socket that is accepted
   * only to receive an error.
   */
  channel: ShardChannel | null = null;
  slot = -1;
  /** The user for whom the slot was reserved. */
  owner = '';
  /** Whether the channel was asked to open the session. From then on only the channel releases the slot. */
  begun = false;
  /** Whether an auth message is being checked. */
  verifying = false;
  /** Wall clock time in ms at which the caller's token expires; infinite if there is no token. */
  expiresAt = Number.POSITIVE_INFINITY;
  /** Wall clock time in ms at which the caller's token was issued; infinite while the caller is unknown. */
  issuedAt = Number.POSITIVE_INFINITY;
  /** Number of bytes of audio that were dropped because they arrived before the caller was known. */
  unownedBytes = 0;
  /** Budget of the user; null while the caller is unknown or refused. */
  budget: UserBudget | null = null;
  /**
   * Whether the client broke a rule: it sent too many messages, or an invalid text. The user may then open fewer
   * streams for a while.
   */
  violated = false;
  /**
   * Counts of frames that were dropped because the ring was full. Null when the shard has been notified of all of them.
   */
  lost: LostFrames | null = null;
  /**
   * Budget for texts. Before the caller is known, the socket has its own budget; afterwards it uses the caller's
   * budget.
   */
  texts: TextBudget;
  /** Limits how many texts of this socket are checked for an auth message. */
  readonly renewals: TokenBucket;
  #socket: ListenerSocket | null = null;

  constructor(
    readonly query: ListenQuery,
    /** The caller; null on the web route until the caller is known. */
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

  /** Records that the socket has closed. Nothing can be sent afterwards. */
  detach(): void {
    this.#socket = null;
    this.state = ConnectionState.ended;
  }

  /**
   * Sends texts in one write. If the client has left too many bytes unread, closes the socket. The close frame then
   * follows the unread bytes. If the client still does not read, the listener closes the connection a few seconds
   * later.
   * @returns the number of accepted texts. It is lower than the number of given texts if the socket has closed or is
   *   closed by this call.
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

  /**
   * Closes the socket with a code. The close handler runs before this returns. Does nothing when the socket has closed.
   */
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

/**
 * Returns the connection of a stream's socket, which must be open. The stream routes attach no other kind of object.
 */
export const connectionOf = (socket: ListenerSocket): Connection =>
  socket.getUserData().connection as Connection;
