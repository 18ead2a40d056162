/** Kinds of limits: by user or by client address, of streams or of spoken voice messages. */
export type LimitKind = 'user' | 'address' | 'voice-user' | 'voice-address';

/**
 * The streams and the opens (attempts to open a stream) at the other engines of a fleet. They count for limits that
 * apply to the whole fleet. A `subject` is a user or a group of client addresses.
 */
export interface FleetLimits {
  /** Returns how many streams of a subject the other engines have. */
  elsewhere(kind: LimitKind, subject: string): number;
  /** Reports how many streams of a subject this engine has. */
  holds(kind: LimitKind, subject: string, held: number): void;
  /** Reports opens of a subject at this engine. */
  takes(kind: LimitKind, subject: string, amount?: number): void;
  /** Registers a function that is called with the number of opens when another engine reports opens of a subject. */
  onTaken(kind: LimitKind, taken: (subject: string, amount: number) => void): void;
}

/** The `FleetLimits` of an engine that runs alone. No other engine has streams or opens. */
export const noFleet: FleetLimits = {
  elsewhere: () => 0,
  holds: () => undefined,
  takes: () => undefined,
  onTaken: () => undefined,
};
