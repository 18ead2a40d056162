import { randomUUID } from 'node:crypto';
import type { Sql } from '../client/index.js';

/** A person as identified by another service. */
export interface UpstreamIdentity {
  readonly issuer: string;
  /** Id of the person at the issuer: unique, and never changed. */
  readonly subject: string;
  /** E-mail address in lower case; null if the issuer does not say that the address is verified. */
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * Returns the uid of an identity's user. Makes the user at the first sign-in. Only issuer and subject identify the
 * user. When another user has the same e-mail address, the two users stay separate, and the new user gets no address.
 * @param mayMake whether a user is made for an unknown identity.
 * @returns null for an unknown identity when no user is made.
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
