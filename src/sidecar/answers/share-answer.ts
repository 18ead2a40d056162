/**
 * Makes those who ask while an answer is being found wait for that one. What needs no credential costs the database one statement at
 * a time then, however many ask.
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
