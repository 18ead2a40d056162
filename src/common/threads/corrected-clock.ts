/** Returns a wall clock in ms that adds a correction. @param correction in ms, one int32, which another thread may change */
export const correctedClock = (
  correction: SharedArrayBuffer,
  wall: () => number = Date.now,
): (() => number) => {
  const cell = new Int32Array(correction);
  return () => wall() + Atomics.load(cell, 0);
};
