import { preparedRaw, type Sql, type TextValue } from '../client/index.js';
import { type ApiKeyRow, isUseDue, type KeyFamily, keyColumns, recordUse } from './api-keys.js';
import { KeyDocuments } from './key-documents.js';
import { type CountedTogether, counting, type RateWindow } from './rate-windows.js';

/** A live key, and the windows of its user that the request was counted against. */
export interface CountedKey {
  readonly key: ApiKeyRow;
  /** Whether its user's account is being deleted; then nothing was counted. */
  readonly deleting: boolean;
  readonly windows: readonly RateWindow[];
  /** What the work of the statement came to, as the server wrote it; null without work, and where the request is refused. */
  readonly done: Buffer | null;
}

/** What the statement that reads the key of a request and counts the request does for it besides. */
export interface KeyWork {
  /** Made once by `readingWork` or `writingWork`. */
  readonly text: string;
  /** `$8` and the following. */
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

/** In the query of `readingWork`: whether the key of the request has a scope. @param scope a constant, without quotes */
export const keyHasScope = (scope: string): string =>
  `(select '${scope}' = any(coalesce(scopes, $7::text[])) from live)`;

const withoutWork = keyText(counting('permitted'), 'null');

/**
 * The text of a statement that reads something for a request that is allowed. It is read before the request is counted: the row of
 * a window is locked until the statement ends, and the user's other requests wait for it.
 * @param query has one row with one column, `done`, or none. `allowed` is a relation of one row, the user's `uid`, or of none.
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
 * The text of a statement that writes something once the request is counted against all its policies.
 * @param statement returns its rows. `allowed` is a relation of one row, the user's `uid`, or of none.
 * @param before part that the statement needs, which is read whether the request is allowed or not.
 * @param done what is done, of the rows; their number when absent.
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
 * The live key with this hash, as `useApiKey`, and in the same statement `countRequest` for its user: a second statement would
 * cost about as much as the work of a request. Without the scope nothing is counted.
 * @param scope what the request needs; null for nothing.
 * @param usualScopes scopes of a key that names none, as an array literal.
 * @param work is done only where the key is live, its account is not being deleted, it has the scope, and no window is full.
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
      // What is done has to be answered; the next request records the use.
      if (work === undefined) throw error;
    });
  }
  const counted = windows === null ? [] : (JSON.parse(windows.toString()) as RateWindow[]);
  return { key, deleting, windows: counted, done };
};
