import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { descriptorsForClients } from '../listener/index.js';

/** Limits of the listener on `node:http` and ws. uWebSockets.js has its own built-in limits. */
export const nodeLimits = {
  /** Maximum number of bytes in a request line with its headers. */
  headerBytes: 16_384,
  /**
   * Maximum ms until the head of a request is complete. For the first request the time counts from the start of its
   * connection.
   */
  headersTimeout: 10_000,
  /** Timeout in ms for a TLS handshake. */
  tlsHandshakeTimeout: 10_000,
  /** Maximum ms that a connection may be idle between two requests. */
  keepAliveTimeout: 10_000,
  /** Ms between two checks of `headersTimeout` and of `requestTimeout`. */
  checkInterval: 1000,
  /** Maximum ms for a client to read the rest of a complete answer. Afterwards its connection is closed. */
  answerTimeout: 10_000,
  /**
   * Ms for which a closing connection continues to read from its client. Otherwise the client could lose the last bytes
   * of the answer.
   */
  lingering: 4000,
  /** Maximum number of requests that may wait on one connection for the answers to earlier requests. */
  pipelined: 64,
  /** Maximum number of fragments in a message. */
  fragments: 4096,
  /**
   * Maximum number of chunks in which one frame may arrive. Until the frame is complete, each chunk takes memory beyond
   * its bytes.
   */
  chunks: 16_384,
  /**
   * After this many bytes of messages, a socket pauses until the next turn of the event loop, so that other sockets and
   * timers run.
   */
  bytesATurn: 524_288,
  /** Maximum number of pongs that may wait because a client does not read them. */
  pendingPongs: 60,
  /**
   * Number of connections that the listener accepts beyond the sum of the limits in the settings. They are for refused
   * requests and idle clients.
   */
  spareConnections: 1024,
} as const;

/**
 * Returns the ms in which a complete request must arrive: the time of the largest body at the slowest permitted rate.
 * `Exchange` also checks the rate of each body, because the sidecar may delay a body.
 */
export const requestTimeout = ({ maxProxiedBody, uploadSize, voiceSize, slowestBody }: Settings): number =>
  fixedLimits.bodyGrace.value +
  Math.ceil((Math.max(maxProxiedBody, uploadSize, voiceSize) / slowestBody) * 1000);

/**
 * Returns the maximum number of open connections. The listener closes further connections at once, so that the process
 * has descriptors for its other work.
 * @param most number of descriptors available to connections. If the sum of the limits in the settings is lower, that
 *   sum applies.
 */
export const maxConnections = (settings: Settings, most = descriptorsForClients()): number =>
  Math.min(
    most,
    settings.maxStreams +
      settings.maxUnauthenticated +
      settings.maxUpgrades +
      settings.maxProxied +
      settings.maxConsoleRequests +
      settings.maxUploads +
      settings.maxVoiceMessages +
      settings.maxVoiceStreams +
      settings.maxEventStreams +
      settings.maxToolStreams +
      nodeLimits.spareConnections,
  );
