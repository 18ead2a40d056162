const isResult = (value: unknown): value is unknown[] => Array.isArray(value) && 'command' in value;

/**
 * Moves the rows of a result to where they belong. The client library numbers the rows of a connection and begins anew only when a statement
 * has ended well (porsager/postgres 3.4.9, `rows` in `src/connection.js`): after a statement that failed behind some of its rows, or
 * whose connection was lost there, those of the next one begin behind as many holes.
 * @param value what a statement gives: a result, or an array of results where it was several statements, of which the first may have holes.
 * @returns the same object.
 */
export const withoutHoles = <Value>(value: Value): Value => {
  const result: unknown = Array.isArray(value) && isResult(value[0]) ? value[0] : value;
  if (!isResult(result) || result.length === 0 || 0 in result) return value;
  const holes = result.findIndex((_, index) => index in result);
  result.splice(0, holes);
  return value;
};
