import { validate as isUuid } from 'uuid';

/** Those of some ids that are UUIDs, as PostgreSQL writes them: others name no row of a table whose ids are UUIDs. */
export const uuidsOf = (ids: readonly string[]): string[] =>
  ids.filter((id) => isUuid(id)).map((id) => id.toLowerCase());

/** Rows in the order of ids; an id without a row is left out. */
export const inOrder = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  ids: readonly string[],
): Row[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
