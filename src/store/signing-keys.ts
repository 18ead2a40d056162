import type { Sql } from './database.js';

/** A key pair of the built-in issuer, as JWKs. The private key leaves the store only to sign. */
export interface SigningKeyRow {
  readonly kid: string;
  readonly algorithm: string;
  readonly private_jwk: Readonly<Record<string, unknown>>;
  readonly public_jwk: Readonly<Record<string, unknown>>;
}

// Key of the advisory lock; an arbitrary number that is the same in every process.
const creationLock = 7_207_001;

/**
 * The key to sign with. It is made on first use under an advisory lock, so that two processes that start together use the
 * same key.
 * @param create makes the key when there is none.
 */
export const signingKey = async (sql: Sql, create: () => Promise<SigningKeyRow>): Promise<SigningKeyRow> => {
  const current = async (client: Pick<Sql, 'unsafe'>): Promise<SigningKeyRow | undefined> => {
    const [row] = await client.unsafe<SigningKeyRow[]>(
      `select kid, algorithm, private_jwk, public_jwk from signing_keys
       where retired_at is null order by created_at desc, kid limit 1`,
    );
    return row;
  };
  const existing = await current(sql);
  if (existing) return existing;
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${creationLock})`;
    const raced = await current(transaction);
    if (raced) return raced;
    const made = await create();
    await transaction`
      insert into signing_keys (kid, algorithm, private_jwk, public_jwk)
      values (${made.kid}, ${made.algorithm}, ${transaction.json(made.private_jwk as never)}, ${transaction.json(made.public_jwk as never)})`;
    return made;
  }) as Promise<SigningKeyRow>;
};

/** Public keys of every key pair whose signatures are still accepted, newest first. */
export const publicKeys = async (sql: Sql): Promise<Readonly<Record<string, unknown>>[]> => {
  const rows = await sql<{ public_jwk: Record<string, unknown> }[]>`
    select public_jwk from signing_keys where retired_at is null order by created_at desc`;
  return rows.map((row) => row.public_jwk);
};
