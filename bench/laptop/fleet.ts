/**
 * A running fleet. It has a method for each verb of `npm run fleet`. Every method reads the state from the fleet's
 * folder, so several programs may use one fleet.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { cutFleet } from './network/cut.js';
import { bringUp, defaultFolder, type FleetOptions } from './open.js';
import { operatorSettings } from './parts/product.js';
import { publicUrlOf } from './plan.js';
import {
  endFamily,
  isAlive,
  killFamily,
  type ProcessToken,
  pauseFamily,
  resumeFamily,
  send,
} from './processes.js';
import { attachStandby, promote } from './standby.js';
import { fleetAccount, startPart } from './start.js';
import { changeState, type FleetState, type Part, partOf, type Role, readState, withPart } from './state.js';
import { type FleetStatus, readStatus } from './status.js';
import { type DownOptions, takeDown } from './take-down.js';

/** Maximum ms of a drain. The product's own limits let a part end slightly earlier. */
const drainTimeout = 120_000;

export class LaptopFleet {
  /** @param folder absolute path of the folder of a fleet. */
  constructor(readonly folder: string) {}

  /** The state of the fleet in the tool's file. It contains passwords, so never print it. */
  get state(): FleetState {
    return readState(this.folder);
  }

  /** Address for clients: the balancer, as `http://HOST:PORT`. */
  get url(): string {
    return publicUrlOf(this.state);
  }

  /** Settings with which operators' commands act on the fleet: `DATABASE_URL`, `ISSUER_SECRET`, `PUBLIC_URL`. */
  get settings(): Readonly<Record<string, string>> {
    return operatorSettings(this.state, this.url);
  }

  /** Returns the names of all parts that have a role, such as `engine-1`. */
  names(role: Role): string[] {
    return this.state.parts.filter((part) => part.role === role).map(({ name }) => name);
  }

  /** Asks each part for its current state, and returns the answers. */
  status(): Promise<FleetStatus> {
    return readStatus(this.state);
  }

  /**
   * Kills a part with all its processes (SIGKILL), and waits until they have ended.
   * @param options `disk`: deletes the folder of the part, too, as if the machine were lost.
   * @throws Error if the part is not running.
   */
  async kill(name: string, { disk = false } = {}): Promise<void> {
    const part = partOf(this.state, name);
    await killFamily(this.#running(name));
    await changeState(this.folder, (state) => withPart(state, name, { paused: false }));
    if (disk) rmSync(part.folder, { recursive: true, force: true });
  }

  /**
   * Starts a part that has ended, and waits until it is usable. If the disk of the part was deleted, the part starts
   * with an empty disk. A PostgreSQL server that is not the primary becomes the standby. If it has no files, or those
   * of a former primary, it first gets a copy of the primary's files.
   * @throws Error if the part is running, or does not start.
   */
  async restart(name: string): Promise<void> {
    const state = this.state;
    const part = partOf(state, name);
    if (isAlive(part.process)) throw new Error(`${name} is running. Kill or drain it first.`);
    const account = await fleetAccount();
    if (part.role === 'postgres' && state.primary !== name) await attachStandby(this.folder, name, account);
    else await startPart(this.folder, name, account);
  }

  /** Stops all processes of a part (SIGSTOP), like a machine that hangs. Its connections stay open. */
  async pause(name: string): Promise<void> {
    pauseFamily(this.#running(name));
    await changeState(this.folder, (state) => withPart(state, name, { paused: true }));
  }

  /** Lets a paused part continue (SIGCONT). @throws Error if it is not running. */
  async resume(name: string): Promise<void> {
    resumeFamily(this.#running(name));
    await changeState(this.folder, (state) => withPart(state, name, { paused: false }));
  }

  /**
   * Cuts a part off from other parts. No connection is closed or refused, but no more bytes arrive. In a fleet without
   * network namespaces, the tool itself still reaches the part.
   * @param from the other parts; absent: all.
   * @throws Error if the part has no connection that could be cut, or if the cut cannot be made.
   */
  async partition(name: string, from?: readonly string[]): Promise<void> {
    await cutFleet(this.folder, (state) => {
      const pairs = from === undefined ? [[name, '*'] as const] : from.map((other) => [name, other] as const);
      for (const [one, other] of pairs) requireLink(state, one, other);
      const rest = state.cuts.filter(([a, b]) => !pairs.some(([one, other]) => isSame([a, b], [one, other])));
      return [...rest, ...pairs];
    });
  }

  /** Ends the partitions of a part; without a name, ends all partitions. Bytes that waited are then delivered. */
  async heal(name?: string): Promise<void> {
    await cutFleet(this.folder, (state) => {
      if (name === undefined) return [];
      partOf(state, name);
      return state.cuts.filter((pair) => !pair.includes(name));
    });
  }

  /**
   * Asks an engine, a sidecar or a transcriber to end (SIGTERM), and waits for its end. An engine first stores open
   * speech and closes its streams. `restart` starts the part again.
   * @throws Error for other parts, or if the part does not end within two minutes and was killed.
   */
  async drain(name: string): Promise<void> {
    const { role } = partOf(this.state, name);
    if (role !== 'engine' && role !== 'sidecar' && role !== 'transcriber') {
      throw new Error(`drain is for engines, sidecars and transcribers. Use "kill ${name}".`);
    }
    const ended = await endFamily(this.#running(name), 'SIGTERM', drainTimeout);
    await changeState(this.folder, (state) => withPart(state, name, { paused: false }));
    if (!ended) throw new Error(`${name} did not end within ${drainTimeout / 1000} s and was killed.`);
  }

  /** Makes the balancer read its configuration again (SIGUSR2). Open streams stay in the balancer's former process. */
  async reload(): Promise<void> {
    send(this.#running('balancer'), 'SIGUSR2');
  }

  /**
   * Kills the PostgreSQL primary, waits for its end, and then makes the standby take writes. After that, commits do not
   * wait for a standby until `standby` or `restart` gives the former primary a new copy.
   * @param options `standby`: attaches the former primary as new standby. `force`: promotes although the standby may
   * lack commits.
   * @returns the name of the new primary.
   * @throws Error if the standby does not run, or may lack commits.
   */
  async promote({ standby = false, force = false } = {}): Promise<string> {
    const account = await fleetAccount();
    const { primary, former } = await promote(this.folder, force, account);
    if (standby) await attachStandby(this.folder, former, account);
    return primary;
  }

  /** Ends all processes and removes the folder. @returns the number of processes that had to be killed. */
  down(options: DownOptions = {}): Promise<number> {
    return takeDown(this.folder, options);
  }

  #running(name: string): ProcessToken {
    const { process }: Part = partOf(this.state, name);
    if (!process || !isAlive(process)) throw new Error(`${name} is not running.`);
    return process;
  }
}

type Cut = readonly [string, string];

const isSame = ([a, b]: Cut, [c, d]: Cut): boolean => (a === c && b === d) || (a === d && b === c);

/** @throws Error if the tool cannot separate these parts. */
const requireLink = (state: FleetState, name: string, other: string): void => {
  const part = partOf(state, name);
  if (other !== '*') partOf(state, other);
  if (name === other) throw new Error(`${name} cannot be cut off from itself.`);
  const found = state.links.some(
    ({ from, to }) =>
      (from === name && (other === '*' || to === other)) ||
      (to === name && (other === '*' || from === other)),
  );
  if (found) return;
  const why =
    part.role === 'transcriber'
      ? `${name} serves its engines over a Unix socket`
      : `${name} has no connection to ${other}`;
  throw new Error(`No network can be cut: ${why}. Use kill or pause.`);
};

/**
 * Brings up a fleet: a PostgreSQL pair, three NATS servers, HAProxy, and the requested numbers of engines, sidecars and
 * transcribers. When it resolves, all parts are usable. The parts outlive this process, so call `down`.
 * @throws Error if a program is missing, if the folder has a fleet already, or if a part does not start.
 */
export const openLaptopFleet = async (options: FleetOptions = {}): Promise<LaptopFleet> =>
  new LaptopFleet(await bringUp(options));

/** Returns the fleet that another program has brought up. @throws Error if the folder has none. */
export const attachLaptopFleet = (folder: string = defaultFolder()): LaptopFleet => {
  const path = resolve(folder);
  readState(path);
  return new LaptopFleet(path);
};
