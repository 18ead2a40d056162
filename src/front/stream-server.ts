import type uws from 'uWebSockets.js';
import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import type { TokenVerifier } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import { type MetricsRow, metricCell } from '../metrics/index.js';
import { ringClock } from '../ring/index.js';
import type { Admission, Reservation } from './admission.js';
import { Connection, ConnectionState, type SocketData } from './connection.js';
import { formatOf, frameLimitOf } from './format.js';
import { type Caller, copyHandshake, type Handshake, identify } from './handshake.js';
import { parseListenQuery } from './query.js';
import { answerError } from './responses.js';
import { type SocketUpgrader, socketOptions } from './socket-upgrade.js';
import { authResponse, identifyByMessage, maxAuthMessage } from './web-auth.js';

export interface StreamServerOptions {
  readonly settings: Settings;
  readonly verifier: TokenVerifier;
  readonly admission: Admission;
  readonly upgrader: SocketUpgrader;
  readonly metrics: MetricsRow;
  readonly log: Logger;
}

export const keepAliveBytes = 2;
const frames = metricCell('frames_received_total');
const bytesReceived = metricCell('bytes_received_total');
const keepAlives = metricCell('keepalives_received_total');
const framesDropped = metricCell('ring_frames_dropped_total');
const ping = ['ping'];

const asError = (thrown: unknown): CochleaError =>
  thrown instanceof CochleaError ? thrown : new CochleaError('internal', {}, { cause: thrown });

/** The WebSocket routes: upgrade, admission, messages in, close. Main thread only. */
export class StreamServer {
  readonly connections = new Set<Connection>();
  readonly #options: StreamServerOptions;
  readonly #metrics: MetricsRow;
  #opened = 0;

  constructor(options: StreamServerOptions) {
    this.#options = options;
    this.#metrics = options.metrics;
  }

  /** Registers `/v4/listen` and `/v4/web/listen`. */
  register(app: uws.TemplatedApp): void {
    app.ws<SocketData>(
      '/v4/listen',
      this.#behavior((handshake) => this.#admit(handshake)),
    );
    app.ws<SocketData>(
      '/v4/web/listen',
      this.#behavior((handshake) => this.#admitUnknown(handshake)),
    );
  }

  /** Sends a text to every socket whose caller is known. */
  broadcast(text: string): void {
    for (const connection of this.connections) {
      if (connection.state === ConnectionState.open) connection.send([text]);
    }
  }

  /** Closes every socket. */
  closeAll(error: CochleaError): void {
    for (const connection of this.connections) connection.refuse(error);
  }

  #behavior(admit: (handshake: Handshake) => Promise<Connection>): uws.WebSocketBehavior<SocketData> {
    return {
      ...socketOptions,
      upgrade: (response, request, context) => void this.#upgrade(admit, response, request, context),
      message: (socket, message, isBinary) => {
        const { connection } = socket.getUserData();
        const now = ringClock();
        connection.lastActivity = now;
        if (isBinary) this.#binary(connection, message, now);
        else this.#text(connection, message);
      },
      close: (socket, code) => this.#closed(socket.getUserData().connection, code),
    };
  }

  async #upgrade(
    admit: (handshake: Handshake) => Promise<Connection>,
    response: uws.HttpResponse,
    request: uws.HttpRequest,
    context: uws.us_socket_context_t,
  ): Promise<void> {
    let aborted = false;
    response.onAborted(() => {
      aborted = true;
    });
    const handshake = copyHandshake(request);
    let connection: Connection;
    try {
      connection = await admit(handshake);
      if (aborted) {
        this.#giveBack(connection);
        return;
      }
      this.#options.upgrader.upgrade(response, connection, handshake, context);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.code === 'internal') this.#options.log.error({ err: thrown }, 'upgrade failed');
      this.#metrics.add('connections_refused_total');
      if (!aborted) answerError(response, error);
      return;
    }
    this.#open(connection);
  }

  /** `/v4/listen`: identifies first, then takes a slot; both before the upgrade. */
  async #admit(handshake: Handshake): Promise<Connection> {
    const { settings, verifier } = this.#options;
    this.#refuseWhenFull();
    const caller = await identify(handshake, settings, verifier);
    // Anything may have changed meanwhile.
    this.#refuseWhenFull();
    const connection = new Connection(caller.query, caller);
    if (caller.rejection === null) this.#reserve(connection, caller);
    return connection;
  }

  /** `/v4/web/listen`: the caller is unknown until its first message. */
  async #admitUnknown(handshake: Handshake): Promise<Connection> {
    this.#refuseWhenFull();
    return new Connection(parseListenQuery(handshake.query), null);
  }

  #refuseWhenFull(): void {
    const refusal = this.#options.admission.refusal();
    if (refusal !== null) throw refusal;
  }

  #reserve(connection: Connection, caller: Caller): void {
    const { uid, query, device } = caller;
    const { channel, slot }: Reservation = this.#options.admission.reserve(
      uid,
      query.source,
      device.deviceId,
    );
    connection.channel = channel;
    connection.slot = slot;
  }

  #giveBack(connection: Connection): void {
    if (connection.channel === null || connection.caller === null) return;
    connection.channel.giveBack(connection.slot);
    this.#options.admission.release(connection.caller.uid);
  }

  #open(connection: Connection): void {
    this.connections.add(connection);
    this.#options.admission.open = this.connections.size;
    this.#metrics.add('connections_accepted_total');
    this.#metrics.set('connections_active', this.connections.size);
    if (connection.caller !== null) this.#begin(connection, connection.caller);
  }

  /** The caller is known: tells it why it is refused, or hands the stream to its shard. */
  #begin(connection: Connection, caller: Caller): void {
    const { rejection, query, device } = caller;
    const { channel, slot } = connection;
    if (rejection !== null || channel === null) {
      const error = rejection ?? new CochleaError('overloaded');
      // Of the refusals only an unknown codec has a remedy that fits a close frame and is worth its room.
      connection.refuse(error, error.code === 'codec_unknown' ? error.line : error.message);
      return;
    }
    const format = formatOf(query);
    connection.frameLimit = frameLimitOf(format, this.#options.settings, channel.largestRecord);
    connection.send(ping);
    const taken = channel.open(connection, {
      stream: `s${++this.#opened}`,
      uid: caller.uid,
      language: query.language,
      format,
      conversationTimeout: query.conversationTimeout,
      source: query.source,
      customStt: query.customStt,
      includeSpeechProfile: query.includeSpeechProfile,
      sttService: query.sttService,
      deviceId: device.deviceId,
      clientPlatform: device.platform,
      acceptedAt: Date.now(),
    });
    if (!taken) connection.refuse(new CochleaError('overloaded'));
    this.#options.log.debug(
      { shardSlot: slot, codec: format.codec, rate: format.sampleRate },
      'stream opened',
    );
  }

  /** Once a frame: no allocation here, no lookup by name. */
  #binary(connection: Connection, message: ArrayBuffer, now: number): void {
    const length = message.byteLength;
    if (length <= keepAliveBytes) {
      this.#metrics.addCell(keepAlives, 1);
      return;
    }
    // Frames before the auth message has been confirmed have no owner; clients wait for `auth_response`.
    if (connection.state !== ConnectionState.open) return;
    if (length > connection.frameLimit) {
      this.#metrics.add('frames_too_large_total');
      connection.refuse(new CochleaError('frame_too_large', { bytes: length, limit: connection.frameLimit }));
      return;
    }
    this.#metrics.addCell(frames, 1);
    this.#metrics.addCell(bytesReceived, length);
    if (!connection.channel!.audio(connection.slot, message, now)) {
      this.#metrics.addCell(framesDropped, 1);
    }
  }

  #text(connection: Connection, message: ArrayBuffer): void {
    this.#metrics.add('texts_received_total');
    if (connection.state === ConnectionState.authenticating) {
      void this.#authenticate(connection, message);
      return;
    }
    const { channel } = connection;
    if (connection.state !== ConnectionState.open || channel === null) return;
    const { maxText, maxImageChunk } = this.#options.settings;
    const limit = Math.min(Math.max(maxText, maxImageChunk), channel.largestRecord);
    const bytes = message.byteLength;
    if (bytes > limit) {
      connection.refuse(new CochleaError('text_too_large', { bytes, limit }));
    } else if (!isJson(message)) {
      this.#metrics.add('texts_invalid_total');
    } else if (!channel.text(connection.slot, new Uint8Array(message))) {
      connection.refuse(new CochleaError('texts_over_budget'));
    }
  }

  async #authenticate(connection: Connection, message: ArrayBuffer): Promise<void> {
    if (connection.verifying) return;
    connection.verifying = true;
    const { settings, verifier, admission } = this.#options;
    try {
      if (message.byteLength > maxAuthMessage) throw new CochleaError('web_auth_invalid');
      // Decoded before the first await: the bytes are gone after it.
      const text = Buffer.from(message).toString();
      const caller = await identifyByMessage(text, connection.query, settings, verifier);
      if (!connection.attached) return;
      if (admission.draining) throw new CochleaError('draining');
      if (caller.rejection?.entry.close === 1008) throw caller.rejection;
      if (caller.rejection === null) this.#reserve(connection, caller);
      connection.caller = caller;
      connection.state = ConnectionState.open;
      connection.send([authResponse(true)]);
      this.#begin(connection, caller);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.code === 'internal') this.#options.log.error({ err: thrown }, 'web auth failed');
      connection.send([authResponse(false)]);
      connection.refuse(error);
    }
  }

  #closed(connection: Connection, code: number): void {
    connection.detach();
    this.connections.delete(connection);
    this.#options.admission.open = this.connections.size;
    this.#metrics.add('connections_closed_total');
    this.#metrics.set('connections_active', this.connections.size);
    if (connection.channel === null || connection.caller === null) return;
    this.#options.admission.release(connection.caller.uid);
    connection.channel.closed(connection, code);
  }
}

const isJson = (message: ArrayBuffer): boolean => {
  try {
    JSON.parse(Buffer.from(message).toString());
    return true;
  } catch {
    return false;
  }
};
