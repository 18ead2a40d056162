import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { descriptorsForClients } from '../listener/index.js';

/** Limits of the listener on `node:http` and ws. Those of uWebSockets.js are built into that library. */
export const nodeLimits = {
  /** Bytes of a request line with its headers. */
  headerBytes: 16_384,
  /** Ms in which a request's head has to arrive, counted from the connection where it is the first one. */
  headersTimeout: 10_000,
  /** Ms in which a TLS handshake has to be complete. */
  tlsHandshakeTimeout: 10_000,
  /** Ms for which a connection may be silent between two requests. */
  keepAliveTimeout: 10_000,
  /** Ms between two looks at the times of requests. */
  checkInterval: 1000,
  /** Ms after which a connection is cut whose client does not take the rest of an answer that is complete. */
  answerTimeout: 10_000,
  /** Ms for which a connection that is ended still takes what its client sends, so that the last bytes reach the client. */
  lingering: 4000,
  /** Requests of a connection that may wait for the answers to those before them. */
  pipelined: 64,
  /** Pieces a message may come in. */
  fragments: 4096,
  /** Segments in which the bytes of one frame may come; each takes memory of its own until the frame is complete. */
  chunks: 16_384,
  /** Bytes of messages after which a socket waits for the next turn of the loop: the other sockets and the timers come first. */
  bytesATurn: 524_288,
  /** Pongs that a client may leave unread. */
  pendingPongs: 60,
  /** Connections beyond those that the settings have places for: requests that are refused, and idle connections. */
  spareConnections: 1024,
} as const;

/**
 * Ms in which a whole request has to arrive. The rate of a body is judged by the exchange, which knows when the sidecar makes it
 * wait; this is the time of the largest body at the slowest rate.
 */
export const requestTimeout = ({ maxProxiedBody, uploadSize, voiceSize, slowestBody }: Settings): number =>
  fixedLimits.bodyGrace.value +
  Math.ceil((Math.max(maxProxiedBody, uploadSize, voiceSize) / slowestBody) * 1000);

/**
 * Connections at one time. Beyond them new ones are closed at once, so that the process keeps descriptors for everything else.
 * @param most descriptors that connections may take; as many as the settings have places for, where that is fewer.
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
