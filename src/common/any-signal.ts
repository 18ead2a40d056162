/** The sources of each combined signal. An entry lives as long as its signal. */
const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * `AbortSignal.any` that keeps its sources alive.
 *
 * Node holds them weakly. A timeout without another reference is garbage-collected, and the combined signal never aborts although it has
 * listeners. Read the reason when the signal aborts: Node 24 replaces it when another source aborts later.
 */
export const anySignal = (...sources: readonly AbortSignal[]): AbortSignal => {
  const signal = AbortSignal.any(sources as AbortSignal[]);
  sourcesOf.set(signal, sources);
  return signal;
};
