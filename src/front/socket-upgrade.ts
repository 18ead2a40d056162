import type uws from 'uWebSockets.js';
import type { Connection, Socket, SocketData } from './connection.js';
import type { Handshake } from './handshake.js';

/** The socket of the upgrade under way; upgrades are synchronous. */
let upgraded: Socket | undefined;

/**
 * All that happens within an upgrade; the rest of the opening follows after `cork`. That looks at the response once more when
 * the upgrade is through, at memory which was given back by then, and ends the new socket if somebody else wrote a certain
 * bit there meanwhile (mended by uNetworking/uWebSockets pull request 1929, later than this version). So nothing may
 * allocate in between, and a function that was never called before does.
 */
const takeUpgraded = (socket: Socket | undefined): void => {
  upgraded = socket;
};

/** Calls after which the compiler has done with a function all that it does. */
const warmCalls = 20_000;
for (let call = 0; call < warmCalls; call++) takeUpgraded(undefined);

/** What uWebSockets.js is told about every socket of a stream; times are the heartbeat's affair. */
export const socketOptions = {
  /** Bytes. Over it the library drops the socket without a close frame (1006), so our own limits lie below. */
  maxPayloadLength: 1_310_720,
  /** Bytes. Never reached: `Connection.send` cuts a client off earlier; it keeps the library from dropping messages by itself. */
  maxBackpressure: 16_777_216,
  idleTimeout: 0,
  maxLifetime: 0,
  sendPingsAutomatically: false,
  open: takeUpgraded,
} as const;

/**
 * Accepts an upgrade, once its handler has returned. The route must have been registered with `socketOptions`.
 * @param connection what the socket's `getUserData` will hold; attaching the socket is the caller's.
 * @returns the open socket; undefined when the library opened none.
 */
export const upgradeSocket = (
  response: uws.HttpResponse,
  connection: Connection,
  handshake: Handshake,
  context: uws.us_socket_context_t,
): Socket | undefined => {
  response.cork(() => {
    // The first of what the client offers; none has a meaning here, but a client that offers some expects an answer.
    const protocol = handshake.protocol.split(',')[0]!.trim();
    response.upgrade<SocketData>({ connection }, handshake.key, protocol, handshake.extensions, context);
  });
  const socket = upgraded;
  upgraded = undefined;
  return socket;
};
