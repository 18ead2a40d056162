/** What a signal follows, for as long as the signal is there. */
const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * `AbortSignal.any`, which holds what it follows. Node holds them weakly: a timeout to which nothing else refers is collected as garbage, and
 * then the signal is never aborted, although it has listeners.
 * Read the reason when the signal is aborted: Node 24 replaces it when another source is aborted later.
 */
export const anySignal = (...sources: readonly AbortSignal[]): AbortSignal => {
  const signal = AbortSignal.any(sources as AbortSignal[]);
  sourcesOf.set(signal, sources);
  return signal;
};
