/**
 * Returns a function that calls `act`, but not too often. The first call runs at once. All calls within the next `rest`
 * ms cause only one call of `act`, at the end of that time.
 */
export const restrained = (act: () => void, rest: number): (() => void) => {
  let isResting = false;
  let isWanted = false;
  const call = (): void => {
    isWanted = isResting;
    if (isResting) return;
    act();
    isResting = true;
    setTimeout(() => {
      isResting = false;
      if (isWanted) call();
    }, rest).unref();
  };
  return call;
};
