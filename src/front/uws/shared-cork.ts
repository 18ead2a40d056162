import type uws from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { connect, type Socket as TcpSocket } from 'node:net';
import pTimeout from 'p-timeout';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { UwsModule } from './build.js';

/** Runs an upgrade after its handler has returned, in the way that the loaded build of uWebSockets.js requires. */
export interface Upgrader {
  upgrade(response: uws.HttpResponse, answer: () => void): void;
  close(): void;
}

type LoopbackApp = uws.TemplatedApp & {
  /** `close` and this overload of `listen` exist in the build that needs `SharedCork`, but its types lack them. */
  close(): void;
  listen(
    host: string,
    port: number,
    options: number,
    opened: (listener: uws.us_listen_socket | false) => void,
  ): uws.TemplatedApp;
};

const loopback = '127.0.0.1';
/** LIBUS_LISTEN_EXCLUSIVE_PORT. Without this option another process could share the port. */
const exclusivePort = 1;

/** Pause in ms before the first attempt to reconnect. */
const firstRetry = 20;
/** Maximum pause in ms between two attempts to reconnect. */
const lastRetry = 1000;
/** Timeout in ms of an attempt to connect. */
const connectTimeout = 2000;

/**
 * The engine's connection to itself. Upgrades run within the cork of the response to a request on this connection. That
 * response is never answered.
 */
interface LoopbackLink {
  readonly client: TcpSocket;
  readonly unanswered: uws.HttpResponse;
}

/**
 * Runs upgrades within the cork of another connection, for the older build only. Each listening thread has one such
 * connection.
 *
 * In that build a response must not be upgraded within its own `cork`, because `cork` reads the response again
 * afterwards. The upgrade has freed that memory. If a certain bit of the memory was overwritten, `cork` ends the new
 * socket. uNetworking/uWebSockets pull request 1929 fixed this fault in a later version.
 *
 * Without any cork uWebSockets.js prints a warning for each upgrade. So upgrades run within the cork of another
 * response, which is never answered. This response belongs to a request that this class sends to its own listener. As a
 * consequence, the handshake is sent in some twenty small writes instead of one.
 *
 * If the connection is lost, this class restores it. Until then upgrades are refused with an error that asks to retry
 * shortly.
 */
export class SharedCork implements Upgrader {
  readonly #app: LoopbackApp;
  // The path is random, so that other programs cannot request it.
  readonly #path = `/${randomUUID()}`;
  #link: LoopbackLink | null = null;
  /** Receives the response of the engine's request to itself. */
  #arrived: (response: uws.HttpResponse) => void = () => undefined;
  #retry: NodeJS.Timeout | undefined;
  #pause = firstRetry;
  #closed = false;

  private constructor(
    private readonly uws: UwsModule,
    private readonly log: Logger | undefined,
  ) {
    this.#app = uws.App() as LoopbackApp;
    this.#app.get(this.#path, (response) => {
      response.onAborted(() => this.#lost(response));
      this.#arrived(response);
    });
  }

  /**
   * Creates the connection.
   * @param log receives a line when the connection is lost or restored.
   * @throws CochleaError internal when this machine refuses a connection to itself.
   */
  static async create(uws: UwsModule, log?: Logger): Promise<SharedCork> {
    const upgrader = new SharedCork(uws, log);
    try {
      await upgrader.#connect();
      return upgrader;
    } catch (cause) {
      upgrader.close();
      throw new CochleaError('internal', {}, { cause });
    }
  }

  /**
   * Runs `answer`, which performs the upgrade, within the cork of the unanswered response.
   * @throws CochleaError upgrades_unavailable while the connection is being restored. The response can still be
   *   answered then.
   */
  upgrade(_response: uws.HttpResponse, answer: () => void): void {
    const link = this.#link;
    if (link === null) throw new CochleaError('upgrades_unavailable');
    let begun = false;
    try {
      link.unanswered.cork(() => {
        begun = true;
        answer();
      });
    } catch (cause) {
      if (begun) throw cause;
      // uWebSockets.js refused to cork. So the unanswered response is lost, although no event has reported it.
      this.#lost(link.unanswered);
      throw new CochleaError('upgrades_unavailable', {}, { cause });
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#link?.client.destroy();
    this.#link = null;
    this.#app.close();
  }

  /** Opens a temporary listener, connects to it, and waits for the response that stays unanswered. */
  async #connect(): Promise<void> {
    let listener: uws.us_listen_socket | false = false;
    let client: TcpSocket | undefined;
    try {
      const arrival = new Promise<uws.HttpResponse>((resolve, reject) => {
        this.#arrived = resolve;
        this.#app.listen(loopback, 0, exclusivePort, (opened) => {
          listener = opened;
          if (listener === false) {
            reject(new Error('no port to listen on'));
            return;
          }
          const port = this.uws.us_socket_local_port(listener as unknown as uws.us_socket);
          client = connect({ host: loopback, port });
          client.once('error', reject);
          client.write(`GET ${this.#path} HTTP/1.1\r\nHost: ${loopback}\r\n\r\n`);
        });
      });
      const unanswered = await pTimeout(arrival, {
        milliseconds: connectTimeout,
        message: `not connected after ${connectTimeout} ms`,
      });
      if (this.#closed || client!.destroyed) throw new Error('closed meanwhile');
      this.#hold({ client: client!, unanswered });
    } catch (error) {
      client?.on('error', () => undefined).destroy();
      throw error;
    } finally {
      if (listener !== false && !this.#closed) this.uws.us_listen_socket_close(listener);
    }
  }

  #hold(link: LoopbackLink): void {
    this.#link = link;
    this.#pause = firstRetry;
    // Either end may notice the loss of the connection first.
    link.client.on('error', () => undefined);
    link.client.once('close', () => this.#lost(link.unanswered));
  }

  #lost(unanswered: uws.HttpResponse): void {
    if (this.#closed || this.#link?.unanswered !== unanswered) return;
    this.#link.client.destroy();
    this.#link = null;
    this.log?.warn('the connection for upgrades was lost and is being made again');
    this.#again(0);
  }

  #again(pause: number): void {
    this.#retry = setTimeout(() => {
      this.#connect().then(
        () => this.log?.info('the connection for upgrades is there again'),
        (error: unknown) => {
          if (this.#closed) return;
          this.log?.error({ err: error }, 'the connection for upgrades cannot be made');
          this.#again(this.#pause);
          this.#pause = Math.min(lastRetry, 2 * this.#pause);
        },
      );
    }, pause);
  }
}
