import { CochleaError } from '../../errors/index.js';
import type { Frame, Wearable } from '../wearable/index.js';
import { relayedText } from './reply.js';
import { ServiceSocket } from './service-socket.js';

/** The methods of the engine's stream that a relay needs. */
export type RelayedTo = Pick<Wearable, 'close' | 'closed' | 'isClosed' | 'sendText'>;

/** Maximum ms that the relay waits for the last words of a service after the end of the audio. */
const lastWords = 60_000;

/**
 * Acts as an application that uses a custom transcription service: sends audio to the service and relays its words to
 * the engine.
 */
export class ServiceRelay {
  #fault: CochleaError | undefined;
  #isEnding = false;

  private constructor(
    private readonly url: string,
    private readonly socket: ServiceSocket,
  ) {}

  /**
   * Connects to the service.
   * @param wearable stream of the engine that receives the words. This stream is closed if the service fails.
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
    this.socket.send(bytes, duration);
  }

  /** Ends the stream and waits until the engine has the last words. @throws CochleaError the failure of the service. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    if (!(await this.socket.end(lastWords)))
      this.fail(
        new CochleaError('custom_stt_invalid', { url: this.url, rule: 'close', why: 'it stays open' }),
      );
    this.socket.cut();
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Records the first failure of the service. `finish` throws this failure. */
  fail(error: CochleaError): void {
    this.#fault ??= error;
    this.socket.cut();
  }

  #closed(code: number, wearable: RelayedTo): void {
    // If the engine's stream has ended, this process has terminated the connection itself. That is not a failure of the
    // service.
    if (this.#isEnding || wearable.isClosed) return;
    this.fail(new CochleaError('connection_failed', { url: this.url, why: `closed ${code}` }));
    void wearable.close();
  }
}
