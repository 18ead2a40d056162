import type uws from 'uWebSockets.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import {
  type ListenerApp,
  type ListenerSocket,
  maxBackpressure,
  type RequestHandler,
  type SocketData,
  type StreamRoute,
} from '../listener/index.js';
import { guardAccepts } from './accept-guard.js';
import type { UwsBuild } from './build.js';
import { freePort } from './free-port.js';
import { SharedCork, type Upgrader } from './shared-cork.js';

/** `close` exists in every build, but not in the types of the older build. */
type ClosableApp = uws.TemplatedApp & { close(): void };

/** Lowest port that unprivileged processes may use on every system. */
const firstFreePort = 1024;

/**
 * Options of uWebSockets.js for every stream socket. Its timeouts are off, because the heartbeat of the front closes
 * silent sockets.
 */
const socketOptions = {
  /**
   * Maximum message length in bytes. For a larger message uWebSockets.js itself closes the connection, with 1006 and
   * before any handler runs. The limits of this product are lower and close with other codes.
   */
  maxPayloadLength: fixedLimits.payload.value,
  /**
   * Maximum number of unsent bytes. uWebSockets.js drops further messages to a client that does not read, including
   * pongs.
   */
  maxBackpressure,
  idleTimeout: 0,
  maxLifetime: 0,
  sendPingsAutomatically: false,
  open: (socket: ListenerSocket): void => socket.getUserData().connection.attach(socket),
} as const;

/** Runs an upgrade within the response's own cork, as the documentation of uWebSockets.js requires. */
const ownCork: Upgrader = {
  upgrade: (response, answer) => void response.cork(answer),
  close: () => undefined,
};

/** Implements the front's listener with uWebSockets.js. Main thread only. */
class UwsApp implements ListenerApp {
  readonly kind = 'uws';
  readonly build: string;
  readonly #uws: UwsBuild['uws'];
  readonly #app: ClosableApp;
  /** The listening socket; undefined while it is closed because too many connections are open. */
  #listening: uws.us_listen_socket | undefined;
  #stopGuard: () => void = () => undefined;
  #closed = false;

  constructor(
    { uws, name }: UwsBuild,
    private readonly settings: Settings,
    app: uws.TemplatedApp,
    private readonly upgrader: Upgrader,
    private readonly log: Logger,
  ) {
    this.#uws = uws;
    this.build = name;
    this.#app = app as ClosableApp;
  }

  stream(path: string, route: StreamRoute): void {
    this.#app.ws<SocketData>(path, {
      ...socketOptions,
      message: route.message,
      close: route.close,
      upgrade: (response, request, context) => {
        route.upgrade(response, request, (connection, handshake) => {
          // Selects the first subprotocol that the client offers. Subprotocols have no meaning here, but a client that
          // offers some expects one of them in the answer.
          const protocol = handshake.protocol.split(',')[0]!.trim();
          const { key, extensions } = handshake;
          this.upgrader.upgrade(response, () => {
            response.upgrade<SocketData>({ connection }, key, protocol, extensions, context);
          });
        });
      },
    });
  }

  any(path: string, handler: RequestHandler): void {
    this.#app.any(path === '*' ? '/*' : path, handler);
  }

  async listen(): Promise<number> {
    const { host, engineProcesses } = this.settings;
    // Without this check two engines would silently share a port, and each would get half of the connections.
    const wanted = engineProcesses === 1 ? await freePort(host, this.settings.port) : this.settings.port;
    const socket = this.#open(wanted);
    if (socket === undefined) throw new CochleaError('port_taken', { port: wanted, host, setting: 'PORT' });
    this.#listening = socket;
    const port = this.#uws.us_socket_local_port(socket as unknown as uws.us_socket);
    this.#stopGuard = guardAccepts({
      pause: () => this.#pause(port),
      resume: () => {
        this.#listening ??= this.#open(port);
        return this.#listening !== undefined;
      },
      log: this.log,
    });
    return port;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopGuard();
    this.#app.close();
    this.upgrader.close();
  }

  /** Opens the listening socket. uWebSockets.js calls back before `listen` returns. */
  #open(port: number): uws.us_listen_socket | undefined {
    let opened: uws.us_listen_socket | false = false;
    this.#app.listen(this.settings.host, port, (socket) => {
      opened = socket;
    });
    return opened || undefined;
  }

  /**
   * Closes the listening socket.
   * @returns false if this process could not open the socket again later. The socket then stays open.
   */
  #pause(port: number): boolean {
    if (this.#listening === undefined || !this.#mayListenAgain(port)) return false;
    this.#uws.us_listen_socket_close(this.#listening);
    this.#listening = undefined;
    return true;
  }

  /**
   * Returns whether this process may listen on the port again. It may have dropped the privilege for low ports. The
   * test opens a second socket on the port.
   */
  #mayListenAgain(port: number): boolean {
    if (port >= firstFreePort) return true;
    const another = this.#open(port);
    if (another !== undefined) this.#uws.us_listen_socket_close(another);
    return another !== undefined;
  }
}

const createApp = ({ uws }: UwsBuild, { tlsCert, tlsKey }: Settings): uws.TemplatedApp => {
  if (tlsCert === '') return uws.App();
  try {
    return uws.SSLApp({ cert_file_name: tlsCert, key_file_name: tlsKey });
  } catch (cause) {
    const why = 'the listener cannot use it together with TLS_KEY';
    throw new CochleaError('setting_invalid', { name: 'TLS_CERT', why }, { cause });
  }
};

/**
 * Creates a listener of uWebSockets.js without routes. Uses TLS if a certificate is set, whose files were checked at
 * the start of the process.
 * @throws CochleaError setting_invalid, internal.
 */
export const createUwsApp = async (
  build: UwsBuild,
  settings: Settings,
  log: Logger,
): Promise<ListenerApp> => {
  const app = createApp(build, settings);
  const upgrader = build.needsSharedCork ? await SharedCork.create(build.uws, log) : ownCork;
  return new UwsApp(build, settings, app, upgrader, log);
};
