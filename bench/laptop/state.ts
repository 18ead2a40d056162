/** The state of a fleet as the tool knows it: one JSON file in the fleet's folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import type { ProcessToken } from './processes.js';

export const roles = ['relay', 'postgres', 'nats', 'transcriber', 'sidecar', 'engine', 'balancer'] as const;
export type Role = (typeof roles)[number];

/** Names of a part's ports. `main` is for other parts, `second` for the tool or for a part of the same role. */
export type Service = 'main' | 'second' | 'monitor';

/** How the process of a part is started. The state stores this, so that another command can start the process again. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /**
   * Environment variables of the process in addition to those of the command that starts it. They include passwords.
   */
  readonly env: Readonly<Record<string, string>>;
}

/** A process of the fleet, with its child processes. It stands for a machine. */
export interface Part {
  readonly name: string;
  readonly role: Role;
  readonly host: string;
  readonly ports: Readonly<Partial<Record<Service, number>>>;
  /** Folder of the part, which stands for the machine's disk. `kill --disk` deletes it. */
  readonly folder: string;
  readonly log: string;
  readonly launch: Launch;
  /** Network namespace; absent without `--netns`. */
  readonly namespace?: string;
  /** Of an engine or a sidecar: the transcriber whose socket it uses. */
  readonly transcriber?: string;
  /** Process that the tool started last for this part. Absent before the first start. */
  readonly process?: ProcessToken;
  /** Whether the tool has paused the part. */
  readonly paused?: boolean;
}

/** A connection from one part to a service of another part. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly service: Service;
  /** Address that `from` uses: a port of the relay, or with `--netns` the target itself. */
  readonly host: string;
  readonly port: number;
}

export interface FleetState {
  readonly version: 1;
  readonly folder: string;
  readonly network: 'relay' | 'netns';
  /** Settings of `--env`, which engines, sidecars and transcribers get. */
  readonly settings: Readonly<Record<string, string>>;
  readonly parts: readonly Part[];
  readonly links: readonly Link[];
  /** Pairs of parts that cannot reach each other now. The second name `*` stands for all other parts. */
  readonly cuts: readonly (readonly [string, string])[];
  /** Name of the PostgreSQL server that takes writes. */
  readonly primary: string;
  /** Whether each commit waits for the standby. Otherwise a promotion could lose commits. */
  readonly synchronous: boolean;
  /** Password of the database, `ISSUER_SECRET` and `SPILL_KEY`. */
  readonly secrets: { readonly database: string; readonly issuer: string; readonly spill: string };
}

/** Path of the file. It has passwords, so only its owner may read it. */
export const stateFile = (folder: string): string => join(folder, 'fleet.json');

export const hasState = (folder: string): boolean => existsSync(stateFile(folder));

/** @throws Error if the folder has no fleet. */
export const readState = (folder: string): FleetState => {
  if (!hasState(folder)) {
    throw new Error(
      `There is no fleet in ${folder}. Run "npm run fleet -- up", or name its folder with --folder.`,
    );
  }
  return JSON.parse(readFileSync(stateFile(folder), 'utf8')) as FleetState;
};

export const writeState = (state: FleetState): void => {
  const path = stateFile(state.folder);
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(unfinished, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
};

/**
 * Changes the file. Several commands may run at the same time, so `change` gets the state at the moment of the change.
 */
export const changeState = async (
  folder: string,
  change: (state: FleetState) => FleetState | Promise<FleetState>,
): Promise<FleetState> => {
  readState(folder);
  const release = await lock(stateFile(folder), {
    retries: { retries: 600, minTimeout: 20, maxTimeout: 100 },
  });
  try {
    const changed = await change(readState(folder));
    writeState(changed);
    return changed;
  } finally {
    await release();
  }
};

/** @throws Error with the known names. */
export const partOf = (state: FleetState, name: string): Part => {
  const found = state.parts.find((part) => part.name === name);
  if (found) return found;
  throw new Error(`There is no part ${name}. Parts: ${state.parts.map((part) => part.name).join(', ')}.`);
};

/** Returns the state with a changed description of one part. */
export const withPart = (state: FleetState, name: string, change: Partial<Part>): FleetState => ({
  ...state,
  parts: state.parts.map((part) => (part.name === name ? { ...part, ...change } : part)),
});

/** Returns the address by which a part reaches a service of another part, as `host:port`. */
export const addressFor = (
  links: readonly Link[],
  from: string,
  to: string,
  service: Service = 'main',
): string => {
  const found = links.find((link) => link.from === from && link.to === to && link.service === service);
  if (!found) throw new Error(`${from} has no connection to ${service} of ${to}`);
  return `${found.host}:${found.port}`;
};
