/** Faults of single machines in a laptop fleet, each with its repair. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LaptopFleet, Role } from '../laptop/index.js';

/**
 * Default ms for which a part is paused or cut off. A wearable reconnects only after 25 s without a message, so it
 * stays connected to the part.
 */
export const usualHanging = 8000;
/** Ms for which a killed part is away. */
const away = 1500;

const restarted = async (fleet: LaptopFleet, name: string, disk = false): Promise<void> => {
  await fleet.kill(name, { disk });
  await pause(away);
  await fleet.restart(name);
};

/** The actions, by kind of fault. `act` causes the fault, and resolves when the part is usable again. */
const actions = {
  'kill an engine': { role: 'engine', act: (fleet, name) => restarted(fleet, name) },
  'kill an engine and its disk': { role: 'engine', act: (fleet, name) => restarted(fleet, name, true) },
  'pause an engine': {
    role: 'engine',
    act: async (fleet, name, hanging) => {
      await fleet.pause(name);
      await pause(hanging);
      await fleet.resume(name);
    },
  },
  'cut off an engine': {
    role: 'engine',
    act: async (fleet, name, hanging) => {
      await fleet.partition(name);
      await pause(hanging);
      await fleet.heal(name);
    },
  },
  'drain an engine': {
    role: 'engine',
    act: async (fleet, name) => {
      await fleet.drain(name);
      await fleet.restart(name);
    },
  },
  'kill a sidecar': { role: 'sidecar', act: (fleet, name) => restarted(fleet, name) },
  'kill a transcriber': { role: 'transcriber', act: (fleet, name) => restarted(fleet, name) },
  'kill a NATS server': { role: 'nats', act: (fleet, name) => restarted(fleet, name) },
  'promote the standby': { role: 'postgres', act: (fleet) => fleet.promote({ standby: true }) },
  'reload the balancer': { role: 'balancer', act: (fleet) => fleet.reload() },
} as const satisfies Record<
  string,
  {
    readonly role: Role;
    readonly act: (fleet: LaptopFleet, name: string, hanging: number) => Promise<unknown>;
  }
>;

export type FaultKind = keyof typeof actions;
export const faultKinds = Object.keys(actions) as FaultKind[];

/** A fault that has happened. Times are results of `performance.now()`. */
export interface Fault {
  readonly kind: FaultKind;
  readonly part: string;
  readonly began: number;
  /** Time at which the part was usable again. */
  readonly repaired: number;
}

/**
 * Returns the name of the part that a fault affects. If some engines have streams, chooses one of them, because a fault
 * of an idle engine would show nothing.
 */
const victimOf = async (fleet: LaptopFleet, role: Role, random: () => number): Promise<string> => {
  if (role === 'postgres') return fleet.state.primary;
  let names = fleet.names(role);
  if (role === 'engine') {
    const { parts } = await fleet.status();
    const used = parts.filter(({ streams = 0 }) => streams > 0).map(({ name }) => name);
    if (used.length > 0) names = used;
  }
  return names[Math.floor(random() * names.length)]!;
};

/**
 * Chooses a part with the role that a kind of fault needs, causes the fault, and repairs the part.
 * @param random chooses the part: from 0 to below 1.
 * @param hanging ms for which a part is paused or cut off.
 */
export const strike = async (
  fleet: LaptopFleet,
  kind: FaultKind,
  random: () => number,
  hanging = usualHanging,
): Promise<Fault> => {
  const { role, act } = actions[kind];
  const part = await victimOf(fleet, role, random);
  const began = performance.now();
  await act(fleet, part, hanging);
  return { kind, part, began, repaired: performance.now() };
};
