import type { Sql } from '../client/index.js';

/** A key pair of the built-in issuer. The public key is a JWK. The private key is stored encrypted by the issuer. */
export interface SigningKeyRow {
  readonly kid: string;
  readonly algorithm: string;
  readonly private_jwk: Readonly<Record<string, unknown>>;
  readonly public_jwk: Readonly<Record<string, unknown>>;
}

/** The state of a key pair, without the keys. */
export interface SigningKeyState {
  readonly kid: string;
  readonly algorithm: string;
  readonly created_at: Date;
  /** Time from which signatures of this key are refused; null for the current signing key. */
  readonly retired_at: Date | null;
}

// Key of the advisory lock: an arbitrary number, the same in every process.
const creationLock = 7_207_001;

const current = async (client: Pick<Sql, 'unsafe'>): Promise<SigningKeyRow | undefined> => {
  const [row] = await client.unsafe<SigningKeyRow[]>(
    `select kid, algorithm, private_jwk, public_jwk from signing_keys
     where retired_at is null order by created_at desc, kid limit 1`,
  );
  return row;
};

const insert = async (client: Pick<Sql, 'unsafe'>, made: SigningKeyRow): Promise<void> => {
  await client.unsafe(
    `insert into signing_keys (kid, algorithm, private_jwk, public_jwk, created_at)
     values ($1, $2, $3, $4, clock_timestamp())`,
    [made.kid, made.algorithm, made.private_jwk as never, made.public_jwk as never],
  );
};

/**
 * Returns the current signing key. The first call makes the key under an advisory lock, so that two processes that
 * start together use the same key.
 * @param create makes a key; called when none is stored.
 */
export const signingKey = async (sql: Sql, create: () => Promise<SigningKeyRow>): Promise<SigningKeyRow> => {
  const existing = await current(sql);
  if (existing) return existing;
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${creationLock})`;
    const raced = await current(transaction);
    if (raced) return raced;
    const made = await create();
    await insert(transaction, made);
    return made;
  }) as Promise<SigningKeyRow>;
};

/**
 * Makes a new key the signing key. Signatures of the earlier keys are accepted for at most `seconds` more. If an
 * earlier key already retires sooner, its time does not change.
 */
export const replaceSigningKey = (sql: Sql, made: SigningKeyRow, seconds: number): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${creationLock})`;
    await transaction`
      update signing_keys set retired_at = now() + make_interval(secs => ${seconds})
      where retired_at is null or retired_at > now() + make_interval(secs => ${seconds})`;
    await insert(transaction, made);
  }) as Promise<void>;

/** Replaces a stored private key if it still equals `from`. */
export const replacePrivateKey = async (
  sql: Sql,
  kid: string,
  from: SigningKeyRow['private_jwk'],
  to: SigningKeyRow['private_jwk'],
): Promise<void> => {
  await sql`
    update signing_keys set private_jwk = ${sql.json(to as never)}
    where kid = ${kid} and private_jwk = ${sql.json(from as never)}`;
};

/** Returns the public keys of all key pairs whose signatures are accepted, newest first. */
export const publicKeys = async (sql: Sql): Promise<Readonly<Record<string, unknown>>[]> => {
  const rows = await sql<{ public_jwk: Record<string, unknown> }[]>`
    select public_jwk from signing_keys where retired_at is null or retired_at > now()
    order by created_at desc`;
  return rows.map((row) => row.public_jwk);
};

/** Returns the state of every key pair, newest first. */
export const signingKeyStates = (sql: Sql): Promise<SigningKeyState[]> => sql<SigningKeyState[]>`
  select kid, algorithm, created_at, retired_at from signing_keys order by created_at desc, kid`;
