/** Kinds of limits: by user or by client address, of streams or of spoken voice messages. */
export type LimitKind = 'user' | 'address' | 'voice-user' | 'voice-address';

/**
 * The streams and opens on the other engines of a fleet, for limits that count over all engines. A `subject` is a user
 * or a group of client addresses.
 */
export interface FleetLimits {
  /** Returns the number of streams of a subject at other engines. */
  elsewhere(kind: LimitKind, subject: string): number;
  /** Reports the number of streams of a subject at this engine. */
  holds(kind: LimitKind, subject: string, held: number): void;
  /** Reports opens at this engine. */
  takes(kind: LimitKind, subject: string, amount?: number): void;
  /** Calls `taken` with the opens of a subject at other engines. */
  onTaken(kind: LimitKind, taken: (subject: string, amount: number) => void): void;
}

/** Limits of an engine without other engines. */
export const noFleet: FleetLimits = {
  elsewhere: () => 0,
  holds: () => undefined,
  takes: () => undefined,
  onTaken: () => undefined,
};
