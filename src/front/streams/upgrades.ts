import type { Settings } from '../../config/index.js';
import { asError, type CochleaError } from '../../errors/index.js';
import type { ClientAddress, TokenVerifier } from '../../identity/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { FleetLimits } from '../clients/index.js';
import {
  type AcceptUpgrade,
  type Handshake,
  type HttpRequest,
  type HttpResponse,
  refuseRequest,
  type StreamRoute,
} from '../listener/index.js';
import type { Admission } from './admission.js';
import { Connection } from './connection.js';
import { copyHandshake, identify } from './handshake.js';
import { parseListenQuery } from './query.js';
import type { UnauthenticatedSockets } from './unauthenticated.js';
import type { UpgradeGate } from './upgrade-gate.js';

/** Dependencies of the stream server. */
export interface StreamServerOptions {
  readonly settings: Settings;
  readonly verifier: TokenVerifier;
  readonly admission: Admission;
  readonly fleet: FleetLimits;
  readonly metrics: MetricsRow;
  readonly log: Logger;
}

export interface UpgradesOptions extends StreamServerOptions {
  readonly gate: UpgradeGate;
  readonly unauthenticated: UnauthenticatedSockets;
  /** Receives a connection whose socket is open. */
  open(connection: Connection): void;
  /** Releases the reservations of a connection that was not opened. */
  release(connection: Connection): void;
}

/** Function that handles an upgrade of the listener. Never throws. */
type Upgrade = StreamRoute['upgrade'];

/**
 * Function that decides about an upgrade, and reserves the connection's slot or count. Throws a CochleaError to refuse
 * the upgrade.
 */
type Admit = (handshake: Handshake, client: ClientAddress) => Promise<Connection>;

/** State of an upgrade. `aborted`: the client disconnected before its upgrade was decided. */
interface UpgradeState {
  aborted: boolean;
}

/** Turns an upgrade request into an open socket, or refuses it. Main thread only. */
export class Upgrades {
  constructor(private readonly options: UpgradesOptions) {}

  /** Upgrades `/v4/listen`. The caller is known before the upgrade. */
  readonly known: Upgrade = (response, request, accept) =>
    void this.#upgrade((handshake, client) => this.#admitKnown(handshake, client), response, request, accept);

  /** Upgrades `/v4/web/listen`. The caller is unknown until the first message. */
  readonly unknown: Upgrade = (response, request, accept) =>
    void this.#upgrade(
      (handshake, client) => this.#admitUnknown(handshake, client),
      response,
      request,
      accept,
    );

  async #upgrade(
    admit: Admit,
    response: HttpResponse,
    request: HttpRequest,
    accept: AcceptUpgrade,
  ): Promise<void> {
    const state: UpgradeState = { aborted: false };
    try {
      response.onAborted(() => {
        state.aborted = true;
      });
      const client = this.options.gate.enter(response, request);
      const handshake = copyHandshake(request);
      // The stream waits before anything is counted, so that a refused stream does not use up the number of streams
      // that the user may open.
      await this.options.admission.untilSpace(client, () => state.aborted);
      const connection = await admit(handshake, client);
      this.#accept(connection, handshake, accept, state);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.code === 'internal') this.options.log.error({ err: thrown }, 'upgrade failed');
      this.options.metrics.add('connections_refused_total');
      if (!state.aborted) this.#answer(response, error);
    }
  }

  #answer(response: HttpResponse, error: CochleaError): void {
    try {
      refuseRequest(response, error);
    } catch (thrown) {
      // The upgrade failed after the response had become a socket, so the request cannot be answered.
      this.options.log.error({ err: thrown }, 'a refused upgrade could not be answered');
    }
  }

  /** Identifies the caller and reserves a slot, before the upgrade. */
  async #admitKnown(handshake: Handshake, client: ClientAddress): Promise<Connection> {
    const { settings, verifier, admission, gate } = this.options;
    const caller = await gate.whileChecking(client, () => identify(handshake, settings, verifier));
    // The slots are checked again, because the state of the engine may have changed during the token check.
    admission.refuseWithoutSlot();
    gate.countOpen(caller.uid);
    const connection = new Connection(caller.query, caller, client, settings);
    if (caller.rejection === null) admission.reserve(connection, caller);
    return connection;
  }

  /** Creates a connection whose caller is unknown until its first message. */
  async #admitUnknown(handshake: Handshake, client: ClientAddress): Promise<Connection> {
    this.options.gate.countUpgrade(client);
    const query = parseListenQuery(handshake.query);
    const connection = new Connection(query, null, client, this.options.settings);
    this.options.unauthenticated.enter(connection);
    return connection;
  }

  /** Accepts the upgrade. If that fails, releases the connection's slot and counts. */
  #accept(connection: Connection, handshake: Handshake, accept: AcceptUpgrade, state: UpgradeState): void {
    try {
      if (!state.aborted) accept(connection, handshake);
    } finally {
      if (!connection.attached) this.options.release(connection);
    }
    if (connection.attached) this.options.open(connection);
  }
}
