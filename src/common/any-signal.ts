/** The source signals of each combined signal. An entry lives as long as the combined signal. */
const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * Works like `AbortSignal.any`, but keeps the source signals alive. Sources that are undefined are left out.
 *
 * Node itself holds the sources weakly. A timeout signal without another reference is garbage-collected, and the
 * combined signal then never aborts although it has listeners. Read the reason as soon as the signal aborts, because
 * Node 24 replaces the reason when another source aborts later.
 */
export const anySignal = (...given: readonly (AbortSignal | undefined)[]): AbortSignal => {
  const sources = given.filter((source) => source !== undefined);
  const signal = AbortSignal.any(sources);
  sourcesOf.set(signal, sources);
  return signal;
};
