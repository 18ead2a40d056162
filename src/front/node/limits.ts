import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { descriptorsForClients } from '../listener/index.js';

/** Limits of the listener on `node:http` and ws. uWebSockets.js has its own built-in limits. */
export const nodeLimits = {
  /** Maximum number of bytes in a request line with its headers. */
  headerBytes: 16_384,
  /** Timeout in ms for a request's head. For the first request on a connection it counts from the start of the connection. */
  headersTimeout: 10_000,
  /** Timeout in ms for a TLS handshake. */
  tlsHandshakeTimeout: 10_000,
  /** Maximum ms that a connection may be idle between two requests. */
  keepAliveTimeout: 10_000,
  /** Ms between two checks of the request timeouts. */
  checkInterval: 1000,
  /** A connection is closed after this many ms if its client does not read the rest of a complete answer. */
  answerTimeout: 10_000,
  /** Ms for which a closing connection still reads from its client, so that the last bytes reach the client. */
  lingering: 4000,
  /** Maximum number of requests on a connection that may wait for earlier answers. */
  pipelined: 64,
  /** Maximum number of fragments in a message. */
  fragments: 4096,
  /** Maximum number of chunks in which one frame may arrive. Each chunk takes additional memory until the frame is complete. */
  chunks: 16_384,
  /** After this many bytes of messages, a socket pauses until the next turn of the event loop. Other sockets and timers run meanwhile. */
  bytesATurn: 524_288,
  /** Maximum number of pongs that a client may leave unread. */
  pendingPongs: 60,
  /** Number of connections beyond the limits in the settings, for refused requests and idle connections. */
  spareConnections: 1024,
} as const;

/**
 * Returns the ms in which a complete request must arrive: the time of the largest body at the slowest permitted rate.
 * The exchange checks the rate of each body, because it knows when the sidecar delays the body.
 */
export const requestTimeout = ({ maxProxiedBody, uploadSize, voiceSize, slowestBody }: Settings): number =>
  fixedLimits.bodyGrace.value +
  Math.ceil((Math.max(maxProxiedBody, uploadSize, voiceSize) / slowestBody) * 1000);

/**
 * Returns the maximum number of open connections. Further connections are closed at once, so that the process has
 * descriptors for its other work.
 * @param most number of descriptors available to connections. The sum of the limits in the settings applies if it is
 * lower.
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
