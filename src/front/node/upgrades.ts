import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ServerOptions, WebSocketServer } from 'ws';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { refuseRequest, type StreamRoute } from '../listener/index.js';
import { nodeLimits } from './limits.js';
import { endGently } from './lingering.js';
import { readIntoOwnBuffer } from './own-buffer.js';
import { NodeRequest } from './request.js';
import { NodeResponse } from './response.js';
import { NodeSocket, StreamSocket } from './socket.js';

const keyLength = 24;
const protocolVersion = '13';

/** Returns whether a request asks for a WebSocket upgrade. */
export const asksForSocket = ({ method, headers, httpVersion }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersion === '1.1' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-key']?.length === keyLength;

/** Checks the fields of an RFC 6455 handshake that `asksForSocket` does not check. Returns the fault, if any. */
const faultOf = ({ headers, headersDistinct }: IncomingMessage): string | undefined => {
  if (headers['sec-websocket-version'] !== protocolVersion) {
    return `Sec-WebSocket-Version must be ${protocolVersion}`;
  }
  return headersDistinct.host?.length === 1 ? undefined : 'Exactly one Host header is needed';
};

/**
 * Creates the response for a refused upgrade. The parser of `node:http` has already detached from the connection. So
 * this response writes the answer and ends the connection itself.
 */
const refusalOf = (message: IncomingMessage, socket: Socket): NodeResponse => {
  const answer = new ServerResponse(message);
  answer.shouldKeepAlive = false;
  answer.assignSocket(socket);
  answer.once('finish', () => {
    answer.detachSocket(socket);
    endGently(socket);
  });
  return new NodeResponse(message, answer);
};

/** Options of ws for all sockets. The type adds the limits that the type definitions of ws lack. */
const options: ServerOptions<typeof StreamSocket> & {
  maxFragments: number;
  maxBufferedChunks: number;
  maxPendingAutoPongs: number;
  closeTimeout: number;
} = {
  noServer: true,
  WebSocket: StreamSocket,
  clientTracking: false,
  perMessageDeflate: false,
  skipUTF8Validation: false,
  maxPayload: fixedLimits.payload.value,
  maxFragments: nodeLimits.fragments,
  maxBufferedChunks: nodeLimits.chunks,
  maxPendingAutoPongs: nodeLimits.pendingPongs,
  closeTimeout: nodeLimits.lingering,
};

/** Creates sockets of ws from upgrade requests, and sets their limits. */
export class NodeUpgrades {
  readonly #server = new WebSocketServer<typeof StreamSocket>(options);

  /**
   * @param isSecure whether connections use TLS. The connections of a TLS listener cannot read into the shared buffer.
   */
  constructor(private readonly isSecure: boolean) {}

  refuse(message: IncomingMessage, socket: Socket, error: CochleaError): void {
    refuseRequest(refusalOf(message, socket), error);
  }

  /**
   * Passes an upgrade to its route.
   * @param head bytes that arrived behind the request.
   */
  upgrade(route: StreamRoute, message: IncomingMessage, socket: Socket, head: Buffer): void {
    const response = refusalOf(message, socket);
    const why = faultOf(message);
    if (why !== undefined) {
      refuseRequest(response, new CochleaError('bad_request', { why }));
      return;
    }
    route.upgrade(response, new NodeRequest(message), (connection) => {
      response.release();
      const reading: { socket?: NodeSocket } = {};
      const own = this.isSecure ? socket : readIntoOwnBuffer(socket, (bytes) => reading.socket?.read(bytes));
      this.#server.handleUpgrade(message, own, head, (webSocket) => {
        reading.socket = new NodeSocket(webSocket, own, { connection }, route);
        connection.attach(reading.socket);
      });
    });
  }
}
