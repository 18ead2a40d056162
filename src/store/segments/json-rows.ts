import { type Sql, takeRows } from '../client/index.js';
import { isoUtc } from '../record/index.js';

/**
 * Cache of the templates that `asDocument` makes. The key is the template of the query; each call site of `jsonRows`
 * has its own template.
 */
const documents = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/**
 * Wraps a query so that its rows become one JSON document. The wrapper is part of the template, so that the
 * report of a slow query contains the query's text. postgres.js caches every template it gets, so each query
 * is wrapped only once.
 */
const asDocument = (parts: TemplateStringsArray): TemplateStringsArray => {
  const known = documents.get(parts);
  if (known) return known;
  const last = parts.length - 1;
  const wrapped = parts.map(
    (part, index) =>
      `${index === 0 ? 'select json_agg(found) as rows from (' : ''}${part}${index === last ? ') as found' : ''}`,
  );
  const document = Object.assign(wrapped, { raw: wrapped });
  documents.set(parts, document);
  return document;
};

/**
 * Reads the rows of a tagged template's query as one JSON document. For many or wide rows this takes a fraction of the
 * time of a usual query, because the JavaScript engine parses one document instead of postgres.js converting each
 * column. Columns have JSON types: times are strings, which `momentOf` converts. The rows keep the order of the query.
 */
export const jsonRows =
  <Row>(sql: Sql) =>
  async (parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const [document] = takeRows(
      await sql<{ rows: Row[] | null }[]>(asDocument(parts), ...(values as never[])),
    );
    return document!.rows ?? [];
  };

/**
 * Pattern of a UTC time as PostgreSQL writes it into JSON: `2026-03-02T09:30:00.123+00:00`. PostgreSQL omits a fraction
 * of zero.
 */
const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?\+00:00$/;
const secondsEnd = 19;

/** Converts a time of a JSON document to the API's format. */
export const momentOf = (text: string): string => {
  const found = usual.exec(text);
  // PostgreSQL writes years before 1 or after 9999 differently.
  if (!found) return isoUtc(new Date(text));
  const milliseconds = (found[1] ?? '').slice(0, 3).padEnd(3, '0');
  const seconds = text.slice(0, secondsEnd);
  return milliseconds === '000' ? `${seconds}Z` : `${seconds}.${milliseconds}000Z`;
};
