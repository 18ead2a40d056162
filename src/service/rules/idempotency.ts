import { createHash } from 'node:crypto';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { findIdempotencyKey, recordCreated, takeIdempotencyKey } from '../../store/records/index.js';
import { optionalText } from './rules.js';

export interface Creation<Row extends { readonly id: string }> {
  readonly uid: string;
  /**
   * The kind of record that the request creates. A key that was used for one kind is still unused for every other kind.
   */
  readonly operation: string;
  /** The client's key. Without a key every call creates new rows. */
  readonly key: string | null | undefined;
  /** The content of the request. A repetition with the same key must have the same content. */
  readonly given: unknown;
  /** Creates the rows inside the transaction. Called again if the transaction is retried. */
  make(transaction: TransactionSql): Promise<Row[]>;
  /** Creates the same rows with a single statement and no transaction. Called if there is no key to store. */
  makeAlone?(sql: Sql): Promise<Row[]>;
  /** Reads the rows that an earlier call created. Leaves out deleted rows. */
  read(ids: readonly string[]): Promise<Row[]>;
}

const longestKey = 200;

const fingerprintOf = (given: unknown): string =>
  createHash('sha256').update(JSON.stringify(given)).digest('base64url');

const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const renamed = (record: object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [camelCase(name), value]));

/**
 * Renames fields of a request's records to their names in earlier versions of the service. If an earlier version stored
 * the content of a request, a repetition of the request then has equal content.
 */
export const earlierNames = (given: object | readonly object[]): object =>
  Array.isArray(given) ? given.map(renamed) : renamed(given);

/**
 * Returns the ids of the rows created with a key; null if the key is unused.
 * @throws CochleaError `idempotency_conflict` if the key was used for a different request.
 */
export const createdWith = async (
  sql: Sql,
  {
    uid,
    operation,
    key,
    given,
  }: Pick<Creation<never>, 'uid' | 'operation' | 'given'> & { readonly key: string },
): Promise<readonly string[] | null> => {
  const used = await findIdempotencyKey(sql, { uid, operation, key });
  if (used === null) return null;
  if (used.fingerprint !== fingerprintOf(given)) throw new CochleaError('idempotency_conflict');
  return used.ids;
};

/**
 * Creates rows once for each key, even if requests with the same key reach several processes at once. A repetition
 * returns the rows with their present values.
 * @throws CochleaError `idempotency_conflict` if the key was used for a different request, `idempotency_gone` if a
 * row was deleted since.
 */
export const createOnce = async <Row extends { readonly id: string }>(
  sql: Sql,
  creation: Creation<Row>,
): Promise<Row[]> => {
  const { uid, operation, given, make, makeAlone, read } = creation;
  const key = optionalText('Idempotency-Key', creation.key, longestKey);
  if (key === null) return makeAlone ? makeAlone(sql) : (sql.begin(make) as unknown as Promise<Row[]>);
  const fingerprint = fingerprintOf(given);
  const claim = { uid, operation, key, fingerprint };
  const outcome = (await sql.begin(async (transaction) => {
    const used = await takeIdempotencyKey(transaction, claim);
    if (used) return { used };
    const rows = await make(transaction);
    await recordCreated(
      transaction,
      claim,
      rows.map(({ id }) => id),
    );
    return { rows };
  })) as { readonly used?: { fingerprint: string; ids: string[] }; readonly rows?: Row[] };
  if (outcome.rows) return outcome.rows;
  const { used } = outcome;
  if (used!.fingerprint !== fingerprint) throw new CochleaError('idempotency_conflict');
  const rows = await read(used!.ids);
  if (rows.length < used!.ids.length) throw new CochleaError('idempotency_gone');
  return rows;
};
