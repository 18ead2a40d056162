import { validate as isUuid } from 'uuid';

/** Keeps the ids that are UUIDs, in PostgreSQL's spelling. Other ids match no row. */
export const uuidsOf = (ids: readonly string[]): string[] =>
  ids.filter((id) => isUuid(id)).map((id) => id.toLowerCase());

/** Returns rows in the order of a list of ids. Ids without a row are left out. */
export const inOrder = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  ids: readonly string[],
): Row[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
