/**
 * Converts arrays between JavaScript and PostgreSQL, for the types this program sends and reads.
 *
 * Without this module, postgres.js would query the array types on every new connection. It does not handle a failure of
 * this query, so a connection lost at that moment would end the process (porsager/postgres 3.4.9, `fetchArrayTypes`).
 */

/** OIDs of the array types of text, character varying, uuid, integer, bigint, double precision and jsonb. */
const arrayTypes = {
  text: 1009,
  varchar: 1015,
  uuid: 2951,
  integer: 1007,
  bigint: 1016,
  double: 1022,
  jsonb: 3807,
} as const;

const item = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
};

/**
 * Returns the PostgreSQL literal of a one-dimensional array. A value that is not an array must already be a literal and
 * is returned unchanged.
 */
export const arrayLiteral = (values: unknown): string =>
  Array.isArray(values) ? `{${values.map(item).join(',')}}` : String(values);

const items = /"((?:[^"\\]|\\.)*)"|([^,{}]+)/gs;

/** Parses the literal of a one-dimensional array of texts, as the server writes it. */
export const parseTextArray = (literal: string): (string | null)[] =>
  [...literal.matchAll(items)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare === 'NULL' ? null : bare!) : quoted.replace(/\\(.)/gs, '$1'),
  );

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
const parsers: Readonly<Record<keyof typeof arrayTypes, (literal: string) => unknown[]>> = {
  text: parseTextArray,
  varchar: parseTextArray,
  uuid: parseTextArray,
  integer: (literal) => parseTextArray(literal).map(numberOf),
  bigint: (literal) => parseTextArray(literal).map(numberOf),
  double: (literal) => parseTextArray(literal).map(numberOf),
  jsonb: (literal) => parseTextArray(literal).map((text) => (text === null ? null : JSON.parse(text))),
};

/** Value of the option `types` of postgres.js. */
export const arrayTypeOptions = Object.fromEntries(
  Object.entries(arrayTypes).map(([name, oid]) => [
    `${name}Array`,
    { to: oid, from: [oid], serialize: arrayLiteral, parse: parsers[name as keyof typeof arrayTypes] },
  ]),
);
