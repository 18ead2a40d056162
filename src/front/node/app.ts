import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Settings } from '../../config/index.js';
import { CochleaError, listenError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { type ListenerApp, type RequestHandler, refuseRequest, type StreamRoute } from '../listener/index.js';
import { DroppedBodies } from './dropped-bodies.js';
import { maxConnections, nodeLimits, requestTimeout } from './limits.js';
import { asOrdinaryRequest } from './ordinary-request.js';
import { answerParseError } from './parse-errors.js';
import { NodeRequest } from './request.js';
import { RequestQueue } from './request-queue.js';
import { NodeResponse } from './response.js';
import { asksForSocket, NodeUpgrades } from './upgrades.js';

/** First version of Node in which several listeners can share a port. */
const sharingSince = [22, 12] as const;

const canShare = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > sharingSince[0] || (major === sharingSince[0] && minor >= sharingSince[1]);
};

const isSecure = ({ tlsCert }: Settings): boolean => tlsCert !== '';

const createHttpServer = (settings: Settings): Server => {
  const options = {
    insecureHTTPParser: false,
    maxHeaderSize: nodeLimits.headerBytes,
    headersTimeout: nodeLimits.headersTimeout,
    requestTimeout: requestTimeout(settings),
    keepAliveTimeout: nodeLimits.keepAliveTimeout,
    connectionsCheckingInterval: nodeLimits.checkInterval,
    // The front checks Host headers itself and sends its own error message.
    requireHostHeader: false,
  };
  const { tlsCert, tlsKey } = settings;
  if (!isSecure(settings)) return createServer(options);
  try {
    return createSecureServer({
      ...options,
      cert: readFileSync(tlsCert),
      key: readFileSync(tlsKey),
      handshakeTimeout: nodeLimits.tlsHandshakeTimeout,
    });
  } catch (cause) {
    const why = 'the listener cannot use it together with TLS_KEY';
    throw new CochleaError('setting_invalid', { name: 'TLS_CERT', why }, { cause });
  }
};

/**
 * Returns whether the front supports the HTTP version of a request. Node's parser also accepts HTTP/0.9 and HTTP/2.0.
 */
const isServed = ({ httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.1' || httpVersion === '1.0';

/** Implements the front's listener with ws on `node:http`. Main thread only. */
class NodeApp implements ListenerApp {
  readonly kind = 'ws';
  readonly build = `ws 8.23.0 on Node ${process.versions.node}`;
  readonly #server: Server;
  readonly #upgrades: NodeUpgrades;
  readonly #streams = new Map<string, StreamRoute>();
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #connections = new Set<Socket>();
  readonly #queue = new RequestQueue();
  readonly #dropped = new DroppedBodies();
  #closed = false;

  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {
    this.#upgrades = new NodeUpgrades(isSecure(settings));
    const server = createHttpServer(settings);
    this.#server = server;
    server.maxConnections = maxConnections(settings);
    // 0 means no limit on the number of headers. With a limit, Node would silently drop further headers. `headerBytes`
    // bounds the size of all headers.
    server.maxHeadersCount = 0;
    // With TLS a connection has two sockets. The server emits both, and both are tracked. `asOrdinaryRequest` emits a
    // connection a second time, which `#track` ignores.
    server.on('connection', (socket: Socket) => this.#track(socket));
    if (isSecure(settings)) server.on('secureConnection', (socket: Socket) => this.#track(socket));
    server.on('request', (message, response) => this.#request(message, response));
    server.on('checkContinue', (message, response) => {
      this.#request(message, response, () => response.writeContinue());
    });
    server.on('upgrade', (message, socket, head) => this.#upgrade(message, socket as Socket, head));
    // Handles CONNECT requests. Without this handler Node would close the connection without an answer.
    server.on('connect', (message, socket, head) => this.#upgrade(message, socket as Socket, head));
    server.on('clientError', (error, socket) => {
      answerParseError(error, socket as Socket, this.#queue.isAnswering(socket as Socket));
    });
    server.on('drop', () => log.warn('a new connection was closed: too many are open'));
  }

  stream(path: string, route: StreamRoute): void {
    this.#streams.set(path, route);
  }

  any(path: string, handler: RequestHandler): void {
    this.#handlers.set(path, handler);
  }

  listen(): Promise<number> {
    const { host, port, engineProcesses } = this.settings;
    if (engineProcesses > 1 && !canShare()) {
      const why = `the listener ws shares a port from Node ${sharingSince.join('.')} on, and this is ${process.versions.node}`;
      return Promise.reject(new CochleaError('setting_invalid', { name: 'ENGINE_PROCESSES', why }));
    }
    const server = this.#server;
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => reject(listenError(error, { port, host, setting: 'PORT' }));
      server.once('error', failed);
      const address = { host, port, exclusive: true, reusePort: engineProcesses > 1 };
      server.listen(address, () => {
        server.off('error', failed);
        server.on('error', (error) => this.log.error({ err: error }, 'the listener failed'));
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#server.close();
    this.#dropped.close();
    for (const socket of this.#connections) socket.destroy();
  }

  #track(socket: Socket): void {
    if (this.#connections.has(socket)) return;
    this.#connections.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#connections.delete(socket));
  }

  #request(message: IncomingMessage, response: ServerResponse, onContinue?: () => void): void {
    const { socket } = message;
    this.#queue.enter(socket, () => this.#handle(message, response, onContinue));
  }

  #handle(message: IncomingMessage, response: ServerResponse, onContinue?: () => void): void {
    const { socket } = message;
    response.once('finish', () => this.#queue.answered(socket, response.shouldKeepAlive));
    const request = new NodeRequest(message);
    const handler = this.#handlers.get(request.getUrl()) ?? this.#handlers.get('*');
    const answer = new NodeResponse(message, response, this.#dropped, onContinue);
    if (handler === undefined) socket.destroy();
    else if (isServed(message)) handler(answer, request);
    else refuseRequest(answer, new CochleaError('http_version_refused'));
  }

  #upgrade(message: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#queue.enter(socket, () => this.#takeOver(message, socket, head));
  }

  #takeOver(message: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#queue.release(socket);
    if (!isServed(message)) {
      this.#upgrades.refuse(message, socket, new CochleaError('http_version_refused'));
      return;
    }
    if (message.method === 'CONNECT') {
      this.#upgrades.refuse(message, socket, new CochleaError('method_not_allowed'));
      return;
    }
    const route = this.#streams.get(new NodeRequest(message).getUrl());
    if (route !== undefined && asksForSocket(message)) this.#upgrades.upgrade(route, message, socket, head);
    else asOrdinaryRequest(this.#server, isSecure(this.settings), message, socket, head);
  }
}

/**
 * Creates a listener that uses ws on `node:http`, without routes. Uses TLS if a certificate is set.
 * @throws CochleaError setting_invalid.
 */
export const createNodeApp = (settings: Settings, log: Logger): ListenerApp => new NodeApp(settings, log);
