/**
 * Starts several machines instead of one, for suites that test the product through its address. Each machine is
 * `cochlea up` with its own folder, and they share a database. `test/run-fleet.ts` chooses those suites.
 */
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { testDatabaseUrl } from './database/database.js';
import { testSecret } from './issuer-secret.js';
import { startBalancer } from './servers/balancer.js';
import { startNats } from './servers/nats.js';
import { startRoundRobin } from './servers/round-robin.js';
import type { Service } from './service.js';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/** The machines and the balancer that a run starts instead of one machine. */
export interface FleetWanted {
  readonly machines: number;
  readonly bus: boolean;
  /** HAProxy with the sample of `deploy/`, which needs two machines, or a balancer without affinity. */
  readonly balancer: 'haproxy' | 'round-robin';
}

/** Reads `E2E_MACHINES` (2 or more), `E2E_BUS` (1) and `E2E_BALANCER`. @returns undefined for one machine. */
export const fleetOfEnvironment = (env = process.env): FleetWanted | undefined => {
  const machines = Number(env.E2E_MACHINES ?? 1);
  if (machines < 2) return undefined;
  return {
    machines,
    bus: env.E2E_BUS === '1',
    balancer: env.E2E_BALANCER === 'haproxy' ? 'haproxy' : 'round-robin',
  };
};

/**
 * Starts the machines and the balancer. They end with the test.
 * @param extra settings that the test gives all machines. Its `PORT` is that of the balancer.
 * @param start starts a machine with these settings.
 * @returns the machines as one service: its address is the balancer's, its metrics are sums, and its folder is that of
 * the first machine.
 */
export const startServiceFleet = async (
  t: Teardown,
  { machines, bus, balancer }: FleetWanted,
  extra: NodeJS.ProcessEnv,
  start: (env: NodeJS.ProcessEnv) => Promise<Service>,
): Promise<Service> => {
  const shared: NodeJS.ProcessEnv = {
    ISSUER_SECRET: testSecret,
    ...extra,
    DATABASE_URL: extra.DATABASE_URL ?? (await testDatabaseUrl(t)),
    ...(bus && { NATS_URL: (await startNats(t)).url }),
  };
  const ports = await Promise.all(Array.from({ length: machines }, freePort));
  const all = await Promise.all(ports.map((port) => start({ ...shared, PORT: String(port) })));
  const engines = ports.map((port) => `127.0.0.1:${port}`);
  const wanted = Number(extra.PORT ?? (await freePort()));
  const { port } =
    balancer === 'haproxy'
      ? await startBalancer(t, { engines: [engines[0]!, engines[1]!], port: wanted, tls: false })
      : await startRoundRobin(t, engines, wanted);
  const base = `http://127.0.0.1:${port}`;
  const first = all[0]!;
  return {
    ...first,
    base,
    metricsPages: all.map(({ metrics }) => metrics),
    wearable: (user, options, listener) => first.wearable(user, { url: base, ...options }, listener),
    readLog: () => all.map((service) => service.readLog()).join(''),
    processes: (words) => all.flatMap((service) => service.processes(words)),
    stop: async (signal) => {
      const ends = await Promise.all(all.map((service) => service.stop(signal)));
      return ends.find(({ code }) => code !== 0) ?? ends[0]!;
    },
  };
};
