import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { type MetricsRow, metricCell } from '../../metrics/index.js';
import { ringClock } from '../../ring/index.js';
import { type CloseNotice, keepAliveBytes, LostFrames, longestBurst } from '../../wire/index.js';
import {
  bufferOf,
  type ListenerApp,
  type MessageBytes,
  type StreamRoute,
  viewOf,
} from '../listener/index.js';
import { leastCost, UserBudgets } from '../shards/index.js';
import { type Connection, ConnectionState, connectionOf } from './connection.js';
import { formatOf, frameLimitOf } from './format.js';
import type { Caller } from './handshake.js';
import { openRequestOf } from './open-request.js';
import { SocketAuthentication } from './socket-authentication.js';
import { UnauthenticatedSockets } from './unauthenticated.js';
import { UpgradeGate } from './upgrade-gate.js';
import { type StreamServerOptions, Upgrades } from './upgrades.js';
import { mayBeAuth } from './web-auth.js';

/** Reason in the close frame with which a client ends its conversation. */
const stopReason = Buffer.from('stop');

const frames = metricCell('frames_received_total');
const bytesReceived = metricCell('bytes_received_total');
const keepAlives = metricCell('keepalives_received_total');
const framesDropped = metricCell('ring_frames_dropped_total');
const framesTooLate = metricCell('frames_after_drain_total');
const ping = ['ping'];

/** The WebSocket routes of streams: upgrade, admission, messages from clients, close. Main thread only. */
export class StreamServer {
  readonly connections = new Set<Connection>();
  readonly #metrics: MetricsRow;
  readonly #gate: UpgradeGate;
  readonly #unauthenticated: UnauthenticatedSockets;
  readonly #upgrades: Upgrades;
  readonly #authentication: SocketAuthentication;
  readonly #budgets: UserBudgets;
  #opened = 0;

  constructor(private readonly options: StreamServerOptions) {
    const { settings, verifier, log } = options;
    this.#metrics = options.metrics;
    this.#gate = new UpgradeGate(settings, options.fleet, { user: 'user', address: 'address' });
    this.#budgets = new UserBudgets(settings);
    this.#unauthenticated = new UnauthenticatedSockets(settings);
    this.#upgrades = new Upgrades({
      ...options,
      gate: this.#gate,
      unauthenticated: this.#unauthenticated,
      open: (connection) => this.#open(connection),
      release: (connection) => this.#release(connection),
    });
    this.#authentication = new SocketAuthentication({
      settings,
      verifier,
      log,
      admit: (connection, caller) => this.#admitByMessage(connection, caller),
      begin: (connection, caller) => this.#begin(connection, caller),
    });
  }

  /** Registers `/v4/listen` and `/v4/web/listen`. */
  register(app: ListenerApp): void {
    const { known, unknown } = this.#upgrades;
    app.stream('/v4/listen', this.#route(known));
    app.stream('/v4/web/listen', this.#route(unknown));
  }

  /** Sends a text to every authenticated socket. */
  broadcast(text: string): void {
    for (const connection of this.connections) {
      if (connection.state === ConnectionState.open) connection.send([text]);
    }
  }

  /**
   * Returns the handlers of a route. An error in a handler closes only that handler's socket. An uncaught error would
   * end the process.
   */
  #route(upgrade: StreamRoute['upgrade']): StreamRoute {
    return {
      upgrade,
      message: (socket, message, isBinary) => {
        const connection = connectionOf(socket);
        const now = ringClock();
        connection.lastActivity = now;
        try {
          if (isBinary) this.#binary(connection, message, now);
          else this.#text(connection, message, now);
        } catch (thrown) {
          this.options.log.error({ err: thrown }, 'a message could not be taken');
          connection.refuse(new CochleaError('internal'));
        }
      },
      close: (socket, code, reason) => {
        try {
          const stops = bufferOf(reason).equals(stopReason);
          this.#closed(connectionOf(socket), stops ? { code, stops } : { code });
        } catch (thrown) {
          this.options.log.error({ err: thrown }, 'a socket could not be closed in order');
        }
      },
    };
  }

  #open(connection: Connection): void {
    this.connections.add(connection);
    this.#metrics.add('connections_accepted_total');
    this.#metrics.set('connections_active', this.connections.size);
    try {
      if (connection.caller !== null) this.#begin(connection, connection.caller);
    } catch (thrown) {
      this.options.log.error({ err: thrown }, 'a stream could not begin');
      connection.refuse(new CochleaError('internal'));
    }
  }

  /**
   * Admits a socket whose auth message was valid.
   * @throws CochleaError opens_limited, and the errors of `Admission.reserve`.
   */
  #admitByMessage(connection: Connection, caller: Caller): void {
    const { admission } = this.options;
    // Before the open is counted, so that a refused stream does not use up the user's opens.
    admission.refuseWhenFull();
    this.#gate.countOpen(caller.uid);
    if (caller.rejection === null) admission.reserve(connection, caller);
    this.#unauthenticated.leave(connection);
  }

  /** Releases the slot and the counts of a connection, if it has any. */
  #release(connection: Connection): void {
    this.#unauthenticated.leave(connection);
    this.options.admission.release(connection);
  }

  /** Sends the caller's rejection, or passes the stream to its shard. Called as soon as the caller is known. */
  #begin(connection: Connection, caller: Caller): void {
    const { rejection, query } = caller;
    const { channel, slot } = connection;
    if (rejection !== null || channel === null) {
      const error = rejection ?? new CochleaError('overloaded');
      // The close reason includes the remedy only for an unknown codec. Other remedies are too long or do not help a
      // client.
      connection.refuse(error, error.code === 'codec_unknown' ? error.line : error.message);
      return;
    }
    const format = formatOf(query);
    connection.smallAudioFor = format.codec.startsWith('opus') ? longestBurst : 0;
    connection.frameLimit = frameLimitOf(format, this.options.settings, channel.largestRecord);
    connection.budget = this.#budgets.hold(caller.uid, ringClock());
    connection.texts = connection.budget.texts;
    connection.send(ping);
    connection.begun = true;
    const taken = channel.open(connection, openRequestOf(caller, format, `s${++this.#opened}`));
    if (!taken) connection.refuse(new CochleaError('overloaded'));
    this.options.log.debug(
      { shardSlot: slot, codec: format.codec, rate: format.sampleRate },
      'stream opened',
    );
  }

  /** Handles a binary message. Runs for every frame, so it allocates nothing and looks up nothing by name. */
  #binary(connection: Connection, message: MessageBytes, now: number): void {
    const length = message.byteLength;
    const { budget } = connection;
    if (connection.state !== ConnectionState.open || budget === null) {
      this.#unowned(connection, length);
      return;
    }
    if (!budget.messages.take(1, now)) {
      connection.violated = true;
      connection.refuse(new CochleaError('message_flood', { rate: fixedLimits.messageRate.value }));
      return;
    }
    if (
      length <= keepAliveBytes &&
      (length === 0 || now - connection.lastAudio >= connection.smallAudioFor)
    ) {
      this.#metrics.addCell(keepAlives, 1);
      return;
    }
    connection.lastAudio = now;
    if (length > connection.frameLimit) {
      this.#metrics.add('frames_too_large_total');
      connection.refuse(new CochleaError('frame_too_large', { bytes: length, limit: connection.frameLimit }));
      return;
    }
    // A small message may be a keep-alive. The shard counts it when it knows that the message is audio.
    if (length > keepAliveBytes) this.#metrics.addCell(frames, 1);
    this.#metrics.addCell(bytesReceived, length);
    const channel = connection.channel!;
    const { lost, slot } = connection;
    if (lost !== null && channel.gap(slot, lost.payload, length, now)) connection.lost = null;
    if (connection.lost === null && channel.audio(slot, message, now)) return;
    if (channel.isDraining) {
      // The shard has already ended the stream. The client stores unconfirmed audio and sends it to the next engine.
      this.#metrics.addCell(framesTooLate, 1);
      return;
    }
    this.#metrics.addCell(framesDropped, 1);
    connection.lost ??= new LostFrames();
    connection.lost.add(viewOf(message));
  }

  /**
   * Handles a frame before the auth message is confirmed. Such frames are dropped, because their user is unknown, and
   * clients wait for `auth_response`. Keep-alive messages count towards the limit too, because an unauthenticated
   * client can send any number of them.
   */
  #unowned(connection: Connection, length: number): void {
    if (length <= keepAliveBytes) this.#metrics.addCell(keepAlives, 1);
    connection.unownedBytes += Math.max(length, leastCost);
    const limit = fixedLimits.unownedAudio.value;
    if (connection.unownedBytes > limit) connection.refuse(new CochleaError('audio_before_auth', { limit }));
  }

  #text(connection: Connection, message: MessageBytes, now: number): void {
    this.#metrics.add('texts_received_total');
    const { settings } = this.options;
    const { channel } = connection;
    const bytes = message.byteLength;
    // The length is checked before the budget, because a text that is too long would use up the budget.
    const limit = Math.min(
      Math.max(settings.maxText, settings.maxImageChunk),
      channel?.largestRecord ?? Number.POSITIVE_INFINITY,
    );
    if (connection.state === ConnectionState.open && bytes > limit) {
      connection.refuse(new CochleaError('text_too_large', { bytes, limit }));
      return;
    }
    if (!connection.texts.take(message, now)) {
      connection.violated = true;
      connection.refuse(new CochleaError('text_flood', { rate: settings.textRate }));
      return;
    }
    if (connection.state === ConnectionState.authenticating) {
      this.#authentication.identify(connection, message);
      return;
    }
    if (connection.state !== ConnectionState.open || channel === null) return;
    if (mayBeAuth(message) && connection.renewals.take(1, now)) {
      if (this.#authentication.renew(connection, message)) return;
    }
    const taking = channel.text(connection.slot, viewOf(message));
    // Texts find no space in the queue only if the shard is slow. So the user has broken no rule: neither of the two
    // errors counts as a violation.
    if (taking === 'slot_full') connection.refuse(new CochleaError('texts_over_budget'));
    else if (taking === 'shard_full') connection.refuse(new CochleaError('overloaded'));
  }

  #closed(connection: Connection, notice: CloseNotice): void {
    connection.detach();
    this.connections.delete(connection);
    this.#metrics.add('connections_closed_total');
    this.#metrics.set('connections_active', this.connections.size);
    const { channel, begun, budget, owner } = connection;
    if (budget !== null) {
      budget.holders--;
      if (connection.violated) this.#gate.countViolation(owner);
    }
    this.#release(connection);
    if (begun) channel?.closed(connection, notice);
  }
}
