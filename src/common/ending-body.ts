/** For each body, the sources of the signal that can abort it. An entry lives as long as the body. */
const sourcesOf = new WeakMap<ReadableStream, readonly unknown[]>();

/**
 * Returns a body that fails as soon as a signal aborts.
 *
 * `fetch` and combined signals refer to each other weakly. If either is garbage-collected while a body still arrives
 * slowly, aborts and timeouts are lost.
 * @param sources the sources of the signal. They are kept alive as long as the body.
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

/** Works like `fetch`, but the body of a response also fails when the signal aborts; see `endingBody`. */
export const endingFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const { signal } = init ?? {};
  if (!signal || answer.body === null) return answer;
  return new Response(endingBody(answer.body, signal), answer);
};
