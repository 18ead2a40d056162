const isResult = (value: unknown): value is unknown[] => Array.isArray(value) && 'command' in value;

/**
 * Removes leading holes from a result. postgres.js counts the rows that a connection has received for a statement, and
 * uses the count as the index of the next row. It resets the count only when a statement succeeds (porsager/postgres
 * 3.4.9, `rows` in `src/connection.js`). If a statement fails after some rows, the result of the next statement begins
 * with this number of holes.
 * @param value a result, or an array of results when several statements were sent. Only the first result can have
 *   holes.
 * @returns the same object.
 */
export const withoutHoles = <Value>(value: Value): Value => {
  const result: unknown = Array.isArray(value) && isResult(value[0]) ? value[0] : value;
  if (!isResult(result) || result.length === 0 || 0 in result) return value;
  const holes = result.findIndex((_, index) => index in result);
  result.splice(0, holes);
  return value;
};
