import { usageMark } from '../members/index.js';

/**
 * Kinds of use that have limits. The streams of wearables, and those of voice messages (`voice-`), are counted by user
 * and by client address.
 */
export const usageKinds = ['user', 'address', 'voice-user', 'voice-address'] as const;
export type UsageKind = (typeof usageKinds)[number];

/**
 * A message between two engines about one user or address, whose name is a hash. A message `used` goes to the home of
 * the name and contains the run of its sender. A message `elsewhere` goes from the home to an engine and contains what
 * all other engines use.
 */
export type UsageMessage = {
  readonly kind: UsageKind;
  readonly name: string;
  /** Number of open streams. */
  readonly held: number;
  /** Number of opens since the last message. */
  readonly taken: number;
} & ({ readonly of: 'used'; readonly run: string } | { readonly of: 'elsewhere' });

export const writeUsage = (message: UsageMessage): string => {
  const { of, kind, name, held, taken } = message;
  const begin = `${usageMark}${of}:${usageKinds.indexOf(kind)}:${name}:${held}:${taken}`;
  return message.of === 'used' ? `${begin}:${message.run}` : begin;
};

const number = '(0|[1-9][0-9]{0,5})';
const form = new RegExp(
  `^${usageMark}(?:(used)|elsewhere):([0-3]):([A-Za-z0-9_-]{22}):${number}:${number}(?::([0-9a-f]{8}))?$`,
);

/** Returns whether a message is about usage. A malformed message about usage counts, too. */
export const isUsage = (text: string): boolean => text.startsWith(usageMark);

/** Reads a message. @returns null if it is malformed. */
export const readUsage = (text: string): UsageMessage | null => {
  const found = form.exec(text);
  if (found === null) return null;
  const [, used, kind, name, held, taken, run] = found;
  if ((used !== undefined) !== (run !== undefined)) return null;
  const use = { kind: usageKinds[Number(kind)]!, name: name!, held: Number(held), taken: Number(taken) };
  return run === undefined ? { of: 'elsewhere', ...use } : { of: 'used', ...use, run };
};
