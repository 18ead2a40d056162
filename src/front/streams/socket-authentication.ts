import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { asError } from '../../errors/index.js';
import type { TokenVerifier, VerifiedToken } from '../../identity/index.js';
import type { Logger } from '../../log/index.js';
import { bufferOf, type MessageBytes } from '../listener/index.js';
import { type Connection, ConnectionState } from './connection.js';
import type { Caller } from './handshake.js';
import { authResponse, identifyByMessage, readAuthMessage, renewalOf } from './web-auth.js';

export interface SocketAuthenticationOptions {
  readonly settings: Settings;
  readonly verifier: TokenVerifier;
  readonly log: Logger;
  /**
   * Reserves a slot for the stream of this caller.
   * @throws CochleaError if there is no space.
   */
  admit(connection: Connection, caller: Caller): void;
  /** Begins the stream of an admitted caller. */
  begin(connection: Connection, caller: Caller): void;
}

/** Errors that reject the caller itself, as opposed to the requested format. */
const notAuthenticated = new Set(['uid_foreign', 'user_unknown', 'account_gone']);

/**
 * Errors of a token renewal that close the socket. After any other error, the socket stays open until its token
 * expires.
 */
const fatal = new Set(['uid_foreign', 'account_gone']);

/** Handles auth messages: the first message of `/v4/web/listen`, and token renewals of open sockets. */
export class SocketAuthentication {
  constructor(private readonly options: SocketAuthenticationOptions) {}

  /** Handles the first text of an unauthenticated socket. Ignores further texts while that text is checked. */
  identify(connection: Connection, message: MessageBytes): void {
    if (connection.verifying) return;
    connection.verifying = true;
    // The text is decoded before the first await, because the bytes are invalid afterwards.
    const text = message.byteLength > fixedLimits.authMessage.value ? '' : bufferOf(message).toString();
    void this.#identify(connection, text);
  }

  async #identify(connection: Connection, text: string): Promise<void> {
    const { settings, verifier, log, admit, begin } = this.options;
    try {
      const caller = await identifyByMessage(text, connection.query, settings, verifier);
      if (!connection.attached) return;
      if (caller.rejection !== null && notAuthenticated.has(caller.rejection.code)) throw caller.rejection;
      admit(connection, caller);
      connection.caller = caller;
      connection.issuedAt = caller.issuedAt;
      connection.expiresAt = caller.expiresAt;
      connection.state = ConnectionState.open;
      connection.verifying = false;
      connection.send([authResponse(true)]);
      begin(connection, caller);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.code === 'internal') log.error({ err: thrown }, 'web auth failed');
      connection.send([authResponse(false)]);
      connection.refuse(error);
    }
  }

  /**
   * Handles a text of an open socket if it is an auth message.
   * @returns false if the text is no auth message. The caller must then pass it to the shard.
   */
  renew(connection: Connection, message: MessageBytes): boolean {
    const parsed = readAuthMessage(bufferOf(message).toString());
    const { caller } = connection;
    if (parsed === null || caller === null) return false;
    if (connection.verifying) return true;
    connection.verifying = true;
    void this.#renew(connection, renewalOf(parsed, caller, this.options.settings, this.options.verifier));
    return true;
  }

  async #renew(connection: Connection, renewal: Promise<VerifiedToken>): Promise<void> {
    try {
      const { issuedAt, expiresAt } = await renewal;
      connection.issuedAt = issuedAt;
      connection.expiresAt = expiresAt;
      connection.send([authResponse(true)]);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.code === 'internal') this.options.log.error({ err: thrown }, 'renewal failed');
      connection.send([authResponse(false)]);
      if (fatal.has(error.code)) connection.refuse(error);
    } finally {
      connection.verifying = false;
    }
  }
}
