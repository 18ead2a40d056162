import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { descriptorsForClients } from '../listener/index.js';

/** Limits of the listener on `node:http` and ws. uWebSockets.js has its own limits built in. */
export const nodeLimits = {
  /** Bytes of a request line with its headers. */
  headerBytes: 16_384,
  /** Timeout in ms for a request's head. For the first request it counts from the connection. */
  headersTimeout: 10_000,
  /** Timeout in ms for a TLS handshake. */
  tlsHandshakeTimeout: 10_000,
  /** Ms that a connection may be idle between two requests. */
  keepAliveTimeout: 10_000,
  /** Ms between two checks of request times. */
  checkInterval: 1000,
  /** Ms after which a connection is cut if its client does not read the rest of a complete answer. */
  answerTimeout: 10_000,
  /** Ms for which an ended connection still reads from its client, so that the last bytes reach the client. */
  lingering: 4000,
  /** Requests of a connection that may wait for earlier answers. */
  pipelined: 64,
  /** Most fragments of a message. */
  fragments: 4096,
  /** Most chunks in which the bytes of one frame may come. Each takes memory of its own until the frame is complete. */
  chunks: 16_384,
  /** Bytes of messages after which a socket waits for the next turn of the loop, so that other sockets and timers run. */
  bytesATurn: 524_288,
  /** Pongs that a client may leave unread. */
  pendingPongs: 60,
  /** Connections beyond the places in the settings: refused requests, and idle connections. */
  spareConnections: 1024,
} as const;

/**
 * Ms in which a whole request has to arrive: the time of the largest body at the slowest rate. The exchange checks a
 * body's rate, because it knows when the sidecar delays it.
 */
export const requestTimeout = ({ maxProxiedBody, uploadSize, voiceSize, slowestBody }: Settings): number =>
  fixedLimits.bodyGrace.value +
  Math.ceil((Math.max(maxProxiedBody, uploadSize, voiceSize) / slowestBody) * 1000);

/**
 * Most connections at one time. Further ones are closed at once, so that the process keeps descriptors for its other
 * work.
 * @param most descriptors available to connections; the number of places in the settings, if lower, applies instead.
 */
export const maxConnections = (settings: Settings, most = descriptorsForClients()): number =>
  Math.min(
    most,
    settings.maxStreams +
      settings.maxUnauthenticated +
      settings.maxUpgrades +
      settings.maxProxied +
      settings.maxUploads +
      settings.maxVoiceMessages +
      settings.maxVoiceStreams +
      settings.maxEventStreams +
      settings.maxToolStreams +
      nodeLimits.spareConnections,
  );
