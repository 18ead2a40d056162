import uws from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { connect, type Socket as TcpSocket } from 'node:net';
import { CochleaError } from '../errors/index.js';
import type { Connection, Socket, SocketData } from './connection.js';
import type { Handshake } from './handshake.js';

/** What uWebSockets.js is told about every socket of a stream; times are the heartbeat's affair. */
export const socketOptions = {
  /** Bytes. Over it the library drops the socket without a close frame (1006), so our own limits lie below. */
  maxPayloadLength: 1_310_720,
  /** Bytes. Never reached: `Connection.send` cuts a client off earlier; it keeps the library from dropping messages by itself. */
  maxBackpressure: 16_777_216,
  idleTimeout: 0,
  maxLifetime: 0,
  sendPingsAutomatically: false,
  open: (socket: Socket): void => socket.getUserData().connection.attach(socket),
} as const;

/** `close`, and `listen` with options, work in the installed build and are missing from its types. */
export type ClosableApp = uws.TemplatedApp & { close(): void };
type LoopbackApp = ClosableApp & {
  listen(
    host: string,
    port: number,
    options: number,
    opened: (listener: uws.us_listen_socket | false) => void,
  ): uws.TemplatedApp;
};

const loopback = '127.0.0.1';
/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it the port may be another process's, too. */
const exclusivePort = 1;

/**
 * Accepts upgrades whose handler has returned. One for each thread that listens.
 *
 * A response must not be upgraded from within its own `cork`: that looks at the response once more afterwards, at memory
 * which the upgrade gave back, and ends the new socket if somebody wrote a certain bit there meanwhile (mended by
 * uNetworking/uWebSockets pull request 1929, later than this version). Without any cork the library prints a warning for
 * each. So upgrades happen within the cork of another response, which is never answered: that of a request which this
 * class sends to itself. The handshake then leaves in some twenty small writes instead of one.
 */
export class SocketUpgrader {
  readonly #app: LoopbackApp;
  readonly #client: TcpSocket;
  readonly #unanswered: uws.HttpResponse;

  private constructor(app: LoopbackApp, client: TcpSocket, unanswered: uws.HttpResponse) {
    this.#app = app;
    this.#client = client;
    this.#unanswered = unanswered;
  }

  /** @throws CochleaError internal when this machine refuses a connection to itself. */
  static async create(): Promise<SocketUpgrader> {
    const app = uws.App() as LoopbackApp;
    // Nobody else can ask for it.
    const path = `/${randomUUID()}`;
    let client: TcpSocket | undefined;
    try {
      const unanswered = await new Promise<uws.HttpResponse>((resolve, reject) => {
        let listener: uws.us_listen_socket | false;
        app.get(path, (response) => {
          response.onAborted(() => undefined);
          uws.us_listen_socket_close(listener as uws.us_listen_socket);
          resolve(response);
        });
        app.listen(loopback, 0, exclusivePort, (opened) => {
          listener = opened;
          if (listener === false) {
            reject(new Error('no port to listen on'));
            return;
          }
          const port = uws.us_socket_local_port(listener as unknown as uws.us_socket);
          client = connect({ host: loopback, port });
          client.once('error', reject);
          client.write(`GET ${path} HTTP/1.1\r\nHost: ${loopback}\r\n\r\n`);
        });
      });
      return new SocketUpgrader(app, client!, unanswered);
    } catch (cause) {
      client?.destroy();
      app.close();
      throw new CochleaError('internal', {}, { cause });
    }
  }

  /**
   * Answers 101. The route must have been registered with `socketOptions`.
   * @param connection what the socket's `getUserData` will hold; it is attached when this returns.
   */
  upgrade(
    response: uws.HttpResponse,
    connection: Connection,
    handshake: Handshake,
    context: uws.us_socket_context_t,
  ): void {
    this.#unanswered.cork(() => {
      // The first of what the client offers; none has a meaning here, but a client that offers some expects an answer.
      const protocol = handshake.protocol.split(',')[0]!.trim();
      response.upgrade<SocketData>({ connection }, handshake.key, protocol, handshake.extensions, context);
    });
  }

  close(): void {
    this.#client.destroy();
    this.#app.close();
  }
}
