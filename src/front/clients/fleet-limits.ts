/** Kinds of limits: by user or by client address, of streams or of spoken voice messages. */
export type LimitKind = 'user' | 'address' | 'voice-user' | 'voice-address';

/**
 * The streams and opens on the other engines of a fleet, for limits that count over all engines. A `subject` is a user
 * or a group of client addresses.
 */
export interface FleetLimits {
  /** Returns how many streams of a subject the other engines have. */
  elsewhere(kind: LimitKind, subject: string): number;
  /** Reports how many streams of a subject this engine has. */
  holds(kind: LimitKind, subject: string, held: number): void;
  /** Reports opens at this engine. */
  takes(kind: LimitKind, subject: string, amount?: number): void;
  /** Registers a function. It is called with the number of opens of a subject that the other engines report. */
  onTaken(kind: LimitKind, taken: (subject: string, amount: number) => void): void;
}

/** The `FleetLimits` of an engine that runs alone. No other engine has streams or opens. */
export const noFleet: FleetLimits = {
  elsewhere: () => 0,
  holds: () => undefined,
  takes: () => undefined,
  onTaken: () => undefined,
};
