import { CochleaError } from '../../errors/index.js';
import type { Frame, Wearable } from '../wearable/index.js';
import { relayedText } from './reply.js';
import { ServiceSocket } from './service-socket.js';

/** The stream of the engine, as far as a relay needs it. */
export type RelayedTo = Pick<Wearable, 'close' | 'closed' | 'isClosed' | 'sendText'>;

/** Ms that a service may take for its last words. */
const lastWords = 60_000;

/** What the application does with a custom transcription service: it gets the audio, too, and its words go to the engine. */
export class ServiceRelay {
  readonly #url: string;
  readonly #socket: ServiceSocket;
  #fault: CochleaError | undefined;
  #isEnding = false;

  private constructor(url: string, socket: ServiceSocket) {
    this.#url = url;
    this.#socket = socket;
  }

  /**
   * Connects to the service.
   * @param wearable the stream of the engine that gets the words; it is closed when the service fails.
   * @throws CochleaError `connection_failed`
   */
  static async open(url: string, wearable: RelayedTo): Promise<ServiceRelay> {
    const named = url.split('?')[0]!;
    let relay: ServiceRelay | undefined;
    const socket = await ServiceSocket.open(url, (reply) => {
      if (reply.kind === 'broken') {
        relay?.fail(new CochleaError('custom_stt_invalid', { url: named, rule: reply.rule, why: reply.why }));
        void wearable.close();
      } else if (reply.kind === 'segments' && reply.segments.length > 0) {
        wearable.sendText(relayedText(reply.segments));
      }
    });
    relay = new ServiceRelay(named, socket);
    void wearable.closed.then(() => socket.cut());
    void socket.closed.then((code) => relay.#closed(code, wearable));
    return relay;
  }

  send({ bytes, duration }: Frame): void {
    this.#socket.send(bytes, duration);
  }

  /** Ends the stream and waits for the last words, which then are with the engine. @throws CochleaError what has failed. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    if (!(await this.#socket.end(lastWords)))
      this.fail(
        new CochleaError('custom_stt_invalid', { url: this.#url, rule: 'close', why: 'it stays open' }),
      );
    this.#socket.cut();
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** The service is of no use: what is thrown by `finish`, the first time. */
  fail(error: CochleaError): void {
    this.#fault ??= error;
    this.#socket.cut();
  }

  #closed(code: number, wearable: RelayedTo): void {
    // Once the stream of the engine has ended this end cuts the connection: that is no fault of the service.
    if (this.#isEnding || wearable.isClosed) return;
    this.fail(new CochleaError('connection_failed', { url: this.#url, why: `closed ${code}` }));
    void wearable.close();
  }
}
