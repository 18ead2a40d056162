import { UserSums } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ClientAddress } from '../../identity/index.js';
import type { FleetLimits } from '../clients/index.js';
import { chooseShard, type ShardChannel } from '../shards/index.js';
import { AdmissionLine } from './admission-line.js';
import type { Connection } from './connection.js';
import type { Caller } from './handshake.js';

/** Decides whether to accept another stream, and counts the streams of each user. */
export class Admission {
  #draining = false;
  readonly #streams = new UserSums();
  /** Connections that occupy a slot. Unauthenticated sockets occupy none, and `UnauthenticatedSockets` counts them. */
  readonly #holders = new Set<Connection>();
  readonly #line: AdmissionLine;

  /**
   * @param lag returns the largest lag in ms of a shard or the transcriber.
   * @param fleet streams of users at other engines.
   */
  constructor(
    private readonly settings: Settings,
    private readonly channels: readonly ShardChannel[],
    private readonly lag: () => number,
    private readonly fleet: FleetLimits,
  ) {
    this.#line = new AdmissionLine({
      lag,
      budget: settings.lagBudget,
      longestWait: settings.lagWait,
      most: settings.maxUpgrades,
      mostOfAddress: settings.maxUpgradesPerAddress,
    });
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Refuses all further streams, also those that wait. */
  drain(): void {
    this.#draining = true;
    this.#line.close();
  }

  /**
   * Refuses all streams while the engine drains, has no slot, or lags too much. @throws CochleaError draining or
   * overloaded.
   */
  refuseWhenFull(): void {
    this.refuseWithoutSlot();
    if (this.lag() > this.settings.lagBudget) throw new CochleaError('overloaded');
  }

  /** Refuses all streams while the engine drains or has no slot. @throws CochleaError draining or overloaded. */
  refuseWithoutSlot(): void {
    if (this.draining) throw new CochleaError('draining');
    if (this.#holders.size >= this.settings.maxStreams) throw new CochleaError('overloaded');
  }

  /**
   * Waits while the lag is above `lagBudget`, at most `lagWait` ms.
   * @param isGone whether the client has disconnected.
   * @throws CochleaError draining or overloaded.
   */
  async untilSpace(client: ClientAddress, isGone: () => boolean): Promise<void> {
    this.refuseWithoutSlot();
    await this.#line.enter(client, isGone);
  }

  /**
   * Reserves a slot for a connection and counts the stream. `release` undoes both. Call `refuseWithoutSlot` before, in the
   * same turn.
   * @throws CochleaError too_many_streams, or overloaded when the shard is full or no shard is alive.
   */
  reserve(connection: Connection, { uid, query, device }: Caller): void {
    const streams = this.#streams.of(uid) + this.fleet.elsewhere('user', uid);
    if (streams >= this.settings.maxStreamsPerUser) throw new CochleaError('too_many_streams');
    const channel = chooseShard(this.channels, uid, query.source, device.deviceId);
    const slot = channel?.reserve() ?? -1;
    if (channel === undefined || slot < 0) throw new CochleaError('overloaded');
    connection.channel = channel;
    connection.slot = slot;
    connection.owner = uid;
    this.#holders.add(connection);
    this.#count(uid, 1);
  }

  /**
   * Undoes the reservation of a connection, if it has one. A second call does nothing. If the session has begun, only
   * the shard can release the slot.
   */
  release(connection: Connection): void {
    if (!this.#holders.delete(connection)) return;
    const { owner: uid, channel, slot, begun } = connection;
    this.#count(uid, -1);
    if (!begun) channel?.giveBack(slot);
  }

  #count(uid: string, step: 1 | -1): void {
    this.#streams.add(uid, step);
    this.fleet.holds('user', uid, this.#streams.of(uid));
  }
}
