/** The current state of each part of a fleet. */

import { balancerStates } from './parts/balancer.js';
import { natsLeader } from './parts/nats.js';
import { roleOf, standbyState } from './parts/postgres.js';
import { readMetrics } from './parts/product.js';
import { publicUrlOf } from './plan.js';
import { isAlive } from './processes.js';
import { adminSocket, isReady } from './start.js';
import type { FleetState, Part, Role } from './state.js';

export interface PartStatus {
  readonly name: string;
  readonly role: Role;
  readonly pid: number | undefined;
  readonly state: 'running' | 'paused' | 'stopped';
  /** Whether the part does its work. False for a part that the tool cannot reach. */
  readonly ready: boolean;
  /** Names of the parts that this part cannot reach; `*` for all parts. */
  readonly cutFrom: readonly string[];
  /** Of an engine: number of open streams. */
  readonly streams?: number;
  /** Of an engine: number of batches in the spill on disk, which wait for the database. */
  readonly spill?: number;
  /**
   * Of an engine: number of acknowledged segments by the label `durability` of the metric; absent if the engine has no
   * such metric.
   */
  readonly acknowledged?: Readonly<Record<string, number>>;
  /** The balancer's state of this engine, such as `UP`. */
  readonly balancer?: string;
  /** Of a PostgreSQL server: `primary` or `standby`, as the server itself reports. */
  readonly database?: string;
  /** Of a NATS server: whether it leads JetStream. */
  readonly leader?: boolean;
  /** Of an engine or a sidecar: the transcriber that it uses. */
  readonly transcriber?: string;
}

export interface FleetStatus {
  /** Address for clients. */
  readonly url: string;
  readonly folder: string;
  readonly network: FleetState['network'];
  readonly primary: string;
  /** Whether each commit waits for the standby: `sync`, `async`, or `none` without a standby that follows. */
  readonly replication: 'sync' | 'async' | 'none';
  readonly parts: readonly PartStatus[];
}

const sumOf = (samples: ReadonlyMap<string, number>, name: string): number =>
  [...samples]
    .filter(([sample]) => sample === name || sample.startsWith(`${name}{`))
    .reduce((sum, [, value]) => sum + value, 0);

const engineStatus = async (part: Part): Promise<Partial<PartStatus>> => {
  const samples = await readMetrics(part);
  if (samples.size === 0) return {};
  const acknowledged: Record<string, number> = {};
  for (const [sample, value] of samples) {
    const [, place] = /^cochlea_acknowledged_total\{.*durability="(\w+)"/.exec(sample) ?? [];
    if (place) acknowledged[place] = (acknowledged[place] ?? 0) + value;
  }
  return {
    streams: sumOf(samples, 'cochlea_connections_active'),
    spill: sumOf(samples, 'cochlea_journal_spill_depth'),
    ...(Object.keys(acknowledged).length > 0 ? { acknowledged } : {}),
  };
};

/** Returns the parts that a part cannot reach, among those with which it has connections. */
const cutsOf = ({ cuts, links }: FleetState, name: string): string[] => {
  const isLinked = (other: string): boolean =>
    links.some(({ from, to }) => (from === name && to === other) || (from === other && to === name));
  return cuts.flatMap(([a, b]) => {
    if (a === name) return [b];
    return b === name || (b === '*' && isLinked(a)) ? [a] : [];
  });
};

/** Returns the state of each part. Takes about 2 s if parts do not answer. */
export const readStatus = async (state: FleetState): Promise<FleetStatus> => {
  const running = (part: Part): boolean => isAlive(part.process) && part.paused !== true;
  const servers = state.parts.filter((part) => part.role === 'nats' && running(part));
  const [balancer, ...leaders] = await Promise.all([
    balancerStates(adminSocket(state.folder)),
    ...servers.map(natsLeader),
  ]);
  // A server that is cut off may still name an earlier leader.
  const leader = leaders.findLast(
    (name) => name !== undefined && leaders.filter((one) => one === name).length > 1,
  );
  const describe = async (part: Part): Promise<PartStatus> => {
    const { name, role, process, paused, transcriber } = part;
    const alive = isAlive(process);
    const [ready, engine, database] = running(part)
      ? await Promise.all([
          isReady(state, part),
          role === 'engine' ? engineStatus(part) : {},
          role === 'postgres' ? roleOf(state, part) : undefined,
        ])
      : [false, {}, undefined];
    return {
      name,
      role,
      pid: alive ? process!.pid : undefined,
      state: alive ? (paused ? 'paused' : 'running') : 'stopped',
      ready,
      cutFrom: cutsOf(state, name),
      ...engine,
      ...(role === 'engine' ? { balancer: balancer.get(name) ?? 'unknown' } : {}),
      ...(database ? { database } : {}),
      ...(role === 'nats' ? { leader: leader === name } : {}),
      ...(transcriber ? { transcriber } : {}),
    };
  };
  const primary = state.parts.find(({ name }) => name === state.primary)!;
  const [replication = 'none', ...parts] = [
    running(primary) ? await standbyState(state, primary) : undefined,
    ...(await Promise.all(state.parts.map(describe))),
  ] as [FleetStatus['replication'] | undefined, ...PartStatus[]];
  return {
    url: publicUrlOf(state),
    folder: state.folder,
    network: state.network,
    primary: state.primary,
    replication,
    parts,
  };
};
