import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { signInLimits } from '../config/limits/index.js';
import {
  consumeRecord,
  type FoundRecord,
  findRecord,
  findSession,
  removeGrant,
  removeOfGrant,
  removeRecord,
  storeRecord,
  trimGrant,
  trimSessions,
} from '../store/accounts/index.js';
import { isDangling, isDatabaseAway, type Sql, treatmentOf } from '../store/client/index.js';
import { recordHash } from './record-hash.js';
import { hasEnded } from './request-end.js';

/**
 * Creates the error with which endpoints answer while the database is unreachable. Its status is 503, so that clients
 * keep their tokens and retry.
 */
const storeAway = (cause: unknown): Error =>
  Object.assign(
    new errors.TemporarilyUnavailable('the store of the issuer does not answer', { cause } as never),
    { status: 503, statusCode: 503, expose: true },
  );

/** Awaits work on the database. @throws an error with status 503 if the database is unreachable */
export const guarded = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    // The account was deleted during its user's sign-in.
    if (isDangling(error)) throw new errors.AccessDenied('the account is gone');
    throw isDatabaseAway(error) || treatmentOf(error) === 'retry' ? storeAway(error) : error;
  }
};

/**
 * Removes the session cookie that oidc-provider stores in an interaction. Nothing reads this copy of the cookie, and it
 * would give access to the session.
 */
const withoutCookie = (session: unknown): unknown => {
  if (typeof session !== 'object' || session === null) return session;
  const { cookie: _cookie, ...rest } = session as Record<string, unknown>;
  return rest;
};

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isToken = (kind: string): boolean => kind === 'AccessToken' || kind === 'RefreshToken';

/**
 * Returns the uid of a record's user. For an interaction, this is the user who signed in during the interaction, or who
 * was already signed in when it began.
 */
const userOf = ({ accountId, result, session }: AdapterPayload): string | null =>
  text(accountId) ?? text(result?.login?.accountId) ?? text(session?.accountId);

/**
 * Stores oidc-provider's records in one PostgreSQL table. The table contains only hashes of ids, so nothing in it can
 * be used as a code, token or cookie.
 */
export class RecordAdapter implements Adapter {
  constructor(
    private readonly sql: Sql,
    private readonly kind: string,
  ) {}

  #key(id: string) {
    return { kind: this.kind, hash: recordHash(id) };
  }

  async upsert(id: string, { jti: _jti, ...payload }: AdapterPayload, expiresIn: number): Promise<void> {
    const { accountId, clientId, grantId, uid } = payload;
    const kept = { ...payload, ...(payload.session && { session: withoutCookie(payload.session) }) };
    await guarded(
      storeRecord(this.sql, {
        ...this.#key(id),
        payload: kept as Record<string, unknown>,
        uid: userOf(payload),
        clientId: text(clientId),
        grantId: this.kind === 'Grant' ? id : text(grantId),
        sessionUid: this.kind === 'Session' ? text(uid) : text(payload.sessionUid),
        expiresIn: Number.isFinite(expiresIn) ? expiresIn : 0,
      }),
    );
    if (isToken(this.kind) && grantId) await this.#trim(grantId, false);
    if (this.kind === 'Session' && accountId)
      await guarded(trimSessions(this.sql, accountId, signInLimits.sessionsPerUser.value));
  }

  /**
   * Removes the oldest tokens of a grant, so that a client that renews its tokens endlessly does not fill the table.
   */
  #trim(grantId: string, used: boolean): Promise<void> {
    return guarded(trimGrant(this.sql, this.kind, grantId, used, signInLimits.tokensPerGrant.value));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await guarded(findRecord(this.sql, this.#key(id)));
    return found ? { ...this.#payload(found), jti: id } : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const found = await guarded(findSession(this.sql, uid));
    return found ? this.#payload(found) : undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /**
   * Marks a code or token as used. oidc-provider first reads the code or token and then calls this method, so two
   * concurrent requests may both find it unused. The second request counts as a replay and ends the grant.
   */
  async consume(id: string): Promise<void> {
    if (hasEnded()) throw storeAway(new Error('the request has ended'));
    const key = this.#key(id);
    const first = await guarded(consumeRecord(this.sql, key));
    if (first && !isToken(this.kind)) return;
    const found = await guarded(findRecord(this.sql, key));
    const grantId = text(found?.payload.grantId);
    if (first) {
      if (grantId) await this.#trim(grantId, true);
      return;
    }
    if (grantId) await guarded(removeGrant(this.sql, grantId));
    throw new errors.InvalidGrant('already used' as never);
  }

  async destroy(id: string): Promise<void> {
    await guarded(removeRecord(this.sql, this.#key(id)));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await guarded(removeOfGrant(this.sql, this.kind, grantId));
  }

  #payload({ payload, consumed_at: consumed }: FoundRecord): AdapterPayload {
    return { ...payload, ...(consumed && { consumed: Math.floor(consumed.getTime() / 1000) }) };
  }
}
