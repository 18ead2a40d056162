/**
 * Returns a promise that settles like the given promise. After `timeout` ms it settles with the result or the error
 * of `late`. The work behind the promise is not cancelled.
 *
 * Use this function for code that runs once per stream or statement. A call takes 1 µs. Other code uses p-timeout,
 * which takes 14 µs per call, because it always creates an error's stack.
 */
export const within = async <Value, Late>(
  promise: Promise<Value>,
  timeout: number,
  late: () => Late,
): Promise<Value | Late> => {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<Late>((resolve, reject) => {
        timer = setTimeout(() => {
          try {
            resolve(late());
          } catch (thrown) {
            reject(thrown);
          }
        }, timeout);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
};

/** Waits at most `timeout` ms for a promise. @returns whether it resolved in time. @throws the error of the promise. */
export const endsWithin = (promise: Promise<unknown>, timeout: number): Promise<boolean> =>
  within(
    promise.then(() => true),
    timeout,
    () => false,
  );
