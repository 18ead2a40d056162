/** Returns the first row of a statement; null when it returns no row. */
export const firstRow = async <Row>(statement: PromiseLike<readonly Row[]>): Promise<Row | null> =>
  (await statement)[0] ?? null;

/** Checks whether a statement returns a row. */
export const hasRows = async (statement: PromiseLike<readonly unknown[]>): Promise<boolean> =>
  (await statement).length > 0;
