import { randomUUID } from 'node:crypto';
import type { Sql } from '../client/index.js';

/** A person as another service names them. */
export interface UpstreamIdentity {
  readonly issuer: string;
  /** Unique and unchanging at the issuer. */
  readonly subject: string;
  /** In lower case; only where the issuer says that it is verified. */
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * The user of an identity, made at the first sign-in. It is found by issuer and subject alone: an e-mail address that another
 * user has here never leads to that user, and is not stored.
 * @param mayMake whether an unknown identity gets a user.
 * @returns null for an unknown identity that gets none.
 */
export const userOfIdentity = (
  sql: Sql,
  { issuer, subject, email, name }: UpstreamIdentity,
  mayMake: boolean,
): Promise<string | null> =>
  sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`upstream ${issuer} ${subject}`}, 0))`;
    const [known] = await transaction<{ uid: string }[]>`
      select uid from upstream_identities where issuer = ${issuer} and subject = ${subject}`;
    if (known || !mayMake) return known?.uid ?? null;
    const uid = randomUUID();
    await transaction`insert into users (uid, name) values (${uid}, ${name})`;
    if (email !== null) {
      await transaction`
        update users set email = ${email}
        where uid = ${uid} and not exists (select from users where lower(email) = ${email})
          and not exists (select from accounts where email = ${email})`;
    }
    await transaction`
      insert into upstream_identities (issuer, subject, uid) values (${issuer}, ${subject}, ${uid})`;
    return uid;
  }) as Promise<string | null>;
