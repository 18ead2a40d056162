/** What a signal follows, for as long as a body is there that ends with it. */
const sourcesOf = new WeakMap<ReadableStream, readonly unknown[]>();

/**
 * A body that fails as soon as a signal aborts. `fetch` and signals that follow others hold each other weakly: what is collected as garbage
 * in the middle of a body that comes slowly passes neither an abort nor a timeout on.
 * @param sources what the signal follows, which is kept until the body is gone.
 */
export const endingBody = (
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  ...sources: readonly unknown[]
): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  const leave = (reason: unknown): Promise<void> => reader.cancel(reason).catch(() => undefined);
  const ending = new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (): void => {
        controller.error(signal.reason);
        void leave(signal.reason);
      };
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: leave,
  });
  sourcesOf.set(ending, [signal, ...sources]);
  return ending;
};
