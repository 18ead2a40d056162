import { preparedRaw, type Sql, type TextValue } from '../client/index.js';
import { type ApiKeyRow, isUseDue, type KeyFamily, keyColumns, recordUse } from './api-keys.js';
import { KeyDocuments } from './key-documents.js';
import { type CountedTogether, counting, type RateWindow } from './rate-windows.js';

/** A key that is not revoked, and the rate windows of its user in which the request was counted or refused. */
export interface CountedKey {
  readonly key: ApiKeyRow;
  /** Whether the user's account is being deleted. If so, the request was not counted. */
  readonly deleting: boolean;
  readonly windows: readonly RateWindow[];
  /** The result of `KeyWork`, as the database sent it. Null without work, or when the request is refused. */
  readonly done: Buffer | null;
}

/** SQL that reads or writes data within the statement that checks the API key of a request and counts the request. */
export interface KeyWork {
  /** Text of the whole statement, made once by `readingWork` or `writingWork`. */
  readonly text: string;
  /** Values of the parameters from `$8` on. */
  readonly values: readonly TextValue[];
}

const keyText = (parts: string, done: string): string => `
  with live as materialized (
    select ${keyColumns}, (select u.deleting_at is not null from users u where u.uid = api_keys.uid) as deleting
    from api_keys where hashed_key = $4 and family = $5 and revoked_at is null
  ), permitted as materialized (
    select uid from live where not deleting and ($6::text is null or $6::text = any(coalesce(scopes, $7::text[])))
  ), ${parts}
  select to_json(live), (select json_agg(found) from found), ${done} from live`;

/**
 * Returns an SQL expression to use in the query of `readingWork`. The expression is true when the request's key has the
 * scope.
 * @param scope a constant, without quotes
 */
export const keyHasScope = (scope: string): string =>
  `(select '${scope}' = any(coalesce(scopes, $7::text[])) from live)`;

const withoutWork = keyText(counting('permitted'), 'null');

/**
 * Returns the text of a statement that reads data for an allowed request, and then counts the request. Counting locks
 * the row of the rate window until the statement ends. Because the data is read before, other requests of the user wait
 * for a shorter time.
 * @param query returns at most one row with one column, `done`. It may use the relation `allowed`: one row with the
 *   user's `uid`, or no row.
 */
export const readingWork = (query: string): string =>
  keyText(
    counting(
      'permitted',
      `, allowed as materialized (select uid from permitted where not exists (select from "full")), work as materialized (${query})`,
      '(select count(*) from work) >= 0',
    ),
    '(select done from work)',
  );

/**
 * Returns the text of a statement that writes data after the request is counted against all its policies.
 * @param statement an SQL statement that returns its rows. It may use the relation `allowed`: one row with the user's
 *   `uid`, or no row.
 * @param before a common table expression that `statement` needs. It is evaluated whether the request is allowed or
 *   not.
 * @param done an SQL expression over these rows that computes the result; the number of rows when absent.
 */
export const writingWork = (
  statement: string,
  { before, done = 'count(*)' }: { readonly before?: string; readonly done?: string } = {},
): string =>
  keyText(
    `${counting('permitted')}, allowed as materialized (
      select uid from permitted where (select count(*) from counted) = cardinality($1::text[])
    )${before === undefined ? '' : `, ${before}`}, work as (${statement})`,
    `(select ${done} from work)`,
  );

const documents = new KeyDocuments();

/**
 * Finds the key with this hash, like `useApiKey`, and counts the request for its user, like `countRequest`. One
 * statement does both, because a second statement would take about as long as the work of a request. A request whose
 * key lacks the scope is not counted.
 * @param scope the scope that the request needs; null for none.
 * @param usualScopes scopes of a key stored without scopes, as an array literal.
 * @param work runs only when the key is live, its account is not being deleted, it has the scope, and no window is
 *   full.
 */
export const useCountedKey = async (
  sql: Sql,
  family: KeyFamily,
  hashedKey: string,
  scope: string | null,
  usualScopes: string,
  { names, allowed, seconds }: CountedTogether,
  work?: KeyWork,
): Promise<CountedKey | null> => {
  const values = [names, allowed, seconds, hashedKey, family, scope, usualScopes, ...(work?.values ?? [])];
  const text = work?.text ?? withoutWork;
  const [row] = await preparedRaw(sql, text, values);
  if (!row) {
    documents.forget(hashedKey);
    return null;
  }
  const [found, windows, done] = row as [Buffer, Buffer | null, Buffer | null];
  const { key, deleting } = documents.read(hashedKey, found);
  if (!deleting && isUseDue(key)) {
    await recordUse(sql, key).catch((error: unknown) => {
      // The work is already committed, so the request must be answered despite this error. The next request records the
      // use.
      if (work === undefined) throw error;
    });
  }
  const counted = windows === null ? [] : (JSON.parse(windows.toString()) as RateWindow[]);
  return { key, deleting, windows: counted, done };
};
