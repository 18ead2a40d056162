/**
 * Shares one pending answer among all callers. Public routes thus cost the database at most one statement at a time, regardless of the
 * number of requests.
 */
export const shareAnswer = <Answer>(find: () => Promise<Answer>): (() => Promise<Answer>) => {
  let found: Promise<Answer> | undefined;
  return () => {
    found ??= find().finally(() => {
      found = undefined;
    });
    return found;
  };
};
