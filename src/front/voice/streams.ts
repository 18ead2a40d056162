import { Pool } from 'undici';
import { type Settings, schemeOf } from '../../config/index.js';
import { asError, CochleaError } from '../../errors/index.js';
import type { ClientAddress, TokenVerifier } from '../../identity/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { ringClock } from '../../ring/index.js';
import { voiceStreamPath } from '../../wire/index.js';
import { type FleetLimits, Quota } from '../clients/index.js';
import {
  type AcceptUpgrade,
  type Handshake,
  type HttpRequest,
  type HttpResponse,
  type ListenerApp,
  type ListenerSocket,
  refuseRequest,
} from '../listener/index.js';
import { forwardedRequest } from '../proxy/index.js';
import { UserBudgets } from '../shards/index.js';
import { type Admission, copyHandshake, tokenOf, UpgradeGate } from '../streams/index.js';
import { voiceQuery } from './query.js';
import { type VoiceCaller, VoiceSocket } from './socket.js';

export interface VoiceStreamsOptions {
  readonly settings: Settings;
  readonly verifier: TokenVerifier;
  readonly admission: Pick<Admission, 'refuseWhenFull'>;
  readonly fleet: FleetLimits;
  readonly metrics: MetricsRow;
  readonly target: { readonly host: string; readonly port: number };
  readonly log: Logger;
}

/**
 * Headers that are copied from the upgrade to the request for the sidecar. Headers about the client's address are
 * added.
 */
const told: ReadonlySet<string> = new Set(['authorization', 'host', 'user-agent', 'x-app-platform']);
const connectTimeout = 5000;
/** Ms between two checks of the sockets' time limits. */
const checkInterval = 1000;
/** Ms that the front waits for the head of an answer after the time limit of a message. */
const headMargin = 10_000;

/**
 * The decision about an upgrade. With a `rejection` the upgrade is accepted, but the client then only receives this
 * error.
 */
interface Decided {
  readonly socket: VoiceSocket;
  /** Path and query of the request to the sidecar. */
  readonly path: string;
  readonly rejection: CochleaError | null;
}

/**
 * The WebSockets of voice messages in progress. Each has its own connection to the sidecar for one request. They have
 * their own quota, so they take no slot of other requests or of streams. Main thread only.
 */
export class VoiceStreams {
  readonly connections = new Set<VoiceSocket>();
  readonly #gate: UpgradeGate;
  readonly #places: Quota;
  readonly #budgets: UserBudgets;
  readonly #upstream: Pool;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly options: VoiceStreamsOptions) {
    const { settings, target } = options;
    this.#gate = new UpgradeGate(settings, options.fleet, { user: 'voice-user', address: 'voice-address' });
    this.#places = new Quota(settings.maxVoiceStreams, settings.maxVoiceStreamsPerAddress);
    this.#budgets = new UserBudgets(settings);
    const host = target.host.includes(':') ? `[${target.host}]` : target.host;
    this.#upstream = new Pool(`http://${host}:${target.port}`, {
      connections: settings.maxVoiceStreams,
      pipelining: 1,
      headersTimeout: settings.voiceTimeout + headMargin,
      // 0 means no timeout, because no data arrives during silence, and the sockets have their own time limits.
      bodyTimeout: 0,
      connect: { timeout: connectTimeout },
    });
    this.#timer = setInterval(() => {
      const now = ringClock();
      const wall = Date.now();
      for (const connection of this.connections) connection.check(now, wall);
    }, checkInterval);
    this.#timer.unref();
  }

  register(app: ListenerApp): void {
    app.stream(voiceStreamPath, {
      upgrade: (response, request, accept) => void this.#upgrade(response, request, accept),
      message: (socket, message, isBinary) => {
        const connection = socketOf(socket);
        try {
          connection.message(message, isBinary, ringClock());
        } catch (thrown) {
          this.options.log.error({ err: thrown }, 'a message could not be taken');
          connection.refuse(new CochleaError('internal'));
        }
      },
      close: (socket) => this.#closed(socketOf(socket)),
    });
    // Only the front may send the sidecar requests with this path.
    app.any(voiceStreamPath, (response) => refuseRequest(response, new CochleaError('upgrade_required')));
  }

  /** Ends the requests in progress. */
  close(): void {
    clearInterval(this.#timer);
    void this.#upstream.destroy().catch(() => undefined);
  }

  async #upgrade(response: HttpResponse, request: HttpRequest, accept: AcceptUpgrade): Promise<void> {
    const { metrics, log } = this.options;
    let aborted = false;
    let client: ClientAddress | undefined;
    let attached = false;
    try {
      response.onAborted(() => {
        aborted = true;
      });
      const address = this.#gate.enter(response, request);
      const handshake = copyHandshake(request);
      const headers = this.#headersOf(request, address);
      this.options.admission.refuseWhenFull();
      if (this.#places.isFull || this.#places.exhausted(address)) throw new CochleaError('overloaded');
      this.#places.enter(address);
      client = address;
      const { socket, path, rejection } = await this.#decide(handshake, address);
      if (aborted) return;
      accept(socket, handshake);
      attached = socket.attached;
      if (!attached) return;
      this.#open(socket);
      if (rejection !== null) socket.end(rejection.entry.close ?? 1008, rejection.message);
      else socket.begin(this.#upstream, { path, headers });
    } catch (thrown) {
      const error = asError(thrown);
      if (error.code === 'internal') log.error({ err: thrown }, 'the upgrade of a voice message failed');
      metrics.add('voice_streams_refused_total');
      if (!aborted && !attached) refuseRequest(response, error);
    } finally {
      if (client !== undefined && !attached) this.#places.leave(client);
    }
  }

  /**
   * Identifies the caller and reads the query.
   * @throws CochleaError for an upgrade that is refused with a status.
   */
  async #decide(handshake: Handshake, client: ClientAddress): Promise<Decided> {
    const { settings, verifier, admission } = this.options;
    const { caller, standing } = await this.#gate.whileChecking(client, async () => {
      const verified = await verifier.verify(tokenOf(handshake.authorization));
      return { caller: verified satisfies VoiceCaller, standing: await verifier.standing(verified) };
    });
    // Admission is checked again, because the engine's state may have changed during the token check.
    admission.refuseWhenFull();
    this.#gate.countOpen(caller.uid);
    const socket = new VoiceSocket(caller, client, settings);
    if (standing !== 'good') {
      const rejection = new CochleaError(standing === 'ended' ? 'account_gone' : 'user_unknown');
      return { socket, path: '', rejection };
    }
    try {
      return { socket, path: `${voiceStreamPath}?${voiceQuery(handshake.query)}`, rejection: null };
    } catch (error) {
      return { socket, path: '', rejection: asError(error) };
    }
  }

  /**
   * Returns the headers of the upgrade for the sidecar.
   * @throws CochleaError bad_request
   */
  #headersOf(request: HttpRequest, client: ClientAddress): string[] {
    const { settings } = this.options;
    const { headers } = forwardedRequest(request, client, settings.publicUrl || `${schemeOf(settings)}:`);
    const kept = ['content-type', 'application/octet-stream'];
    for (let index = 0; index + 1 < headers.length; index += 2) {
      const name = headers[index]!;
      if (told.has(name) || name.startsWith('x-forwarded-')) kept.push(name, headers[index + 1]!);
    }
    return kept;
  }

  #open(socket: VoiceSocket): void {
    const { metrics } = this.options;
    this.connections.add(socket);
    socket.budget = this.#budgets.hold(socket.caller.uid, ringClock());
    metrics.add('voice_streams_total');
    metrics.set('voice_streams_active', this.connections.size);
  }

  #closed(socket: VoiceSocket): void {
    socket.closed();
    if (!this.connections.delete(socket)) return;
    this.#places.leave(socket.client);
    if (socket.budget !== null) socket.budget.holders--;
    this.options.metrics.set('voice_streams_active', this.connections.size);
  }
}

/** Returns the voice socket of a listener's socket. Sockets of this route have no other attached object. */
const socketOf = (socket: ListenerSocket): VoiceSocket => socket.getUserData().connection as VoiceSocket;
