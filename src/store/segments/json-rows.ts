import { type Sql, takeRows } from '../client/index.js';
import { isoUtc } from '../record/index.js';

/** Templates of documents, by that of their query: there is one for each place in the program that reads a document. */
const documents = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/**
 * The same query, whose rows are one JSON document. It is part of the template, so that a slow one is reported with its text. The
 * client library keeps something for every template that it was ever given, so one query always has the same.
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
 * Reads the rows of a query, given as a tagged template, as one JSON document. Of many or wide rows that takes the client library
 * a fraction of the time: one value is converted, by the JavaScript engine's own parser, instead of every column of every row.
 * Columns come as JSON has them: moments as texts, which `momentOf` converts. The rows keep the order of the query.
 */
export const jsonRows =
  <Row>(sql: Sql) =>
  async (parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const [document] = takeRows(
      await sql<{ rows: Row[] | null }[]>(asDocument(parts), ...(values as never[])),
    );
    return document!.rows ?? [];
  };

/** A moment in UTC as PostgreSQL writes it into JSON: `2026-03-02T09:30:00.123+00:00`, without a fraction of zero. */
const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?\+00:00$/;
const secondsEnd = 19;

/** Converts a moment of a JSON document to the form of the API. */
export const momentOf = (text: string): string => {
  const found = usual.exec(text);
  // Years before the first or beyond 9999 have another form.
  if (!found) return isoUtc(new Date(text));
  const milliseconds = (found[1] ?? '').slice(0, 3).padEnd(3, '0');
  const seconds = text.slice(0, secondsEnd);
  return milliseconds === '000' ? `${seconds}Z` : `${seconds}.${milliseconds}000Z`;
};
