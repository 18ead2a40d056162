/** A promise that its owner settles. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value | PromiseLike<Value>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Returns a new promise with the functions that settle it, like `Promise.withResolvers`, which Node 20 lacks. */
export const deferred = <Value = void>(): Deferred<Value> => {
  let [resolve, reject] = [(_value: Value | PromiseLike<Value>): void => {}, (_reason: unknown): void => {}];
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
};
