/** The sources of each combined signal. An entry lives as long as its signal. */
const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * `AbortSignal.any` that keeps its sources alive. Leaves out sources that are undefined.
 *
 * Node holds them weakly. A timeout without another reference is garbage-collected, and the combined signal never aborts although it has
 * listeners. Read the reason when the signal aborts: Node 24 replaces it when another source aborts later.
 */
export const anySignal = (...given: readonly (AbortSignal | undefined)[]): AbortSignal => {
  const sources = given.filter((source) => source !== undefined);
  const signal = AbortSignal.any(sources);
  sourcesOf.set(signal, sources);
  return signal;
};
