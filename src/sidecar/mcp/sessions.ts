import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { derivedKey, issuerSecret } from '../../identity/index.js';
import { recordEndedSession, sessionsEndedSince } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { type Revision, revisions } from './streams/index.js';

const nonceBytes = 12;
/** Bytes of a session id's content: the index of the revision, the time in seconds, and random bytes. */
const claimBytes = 1 + 4 + nonceBytes;
const macBytes = 16;
const form = /^mcp-[\w-]{44}$/;

/** Maximum ms until this sidecar learns that another sidecar ended a session. */
const refreshInterval = 1000;
/**
 * Each read of ended sessions also covers this many ms before the previous read. A transaction with an earlier time may
 * commit after one with a later time, at most this many ms later.
 */
const overlap = 10_000;
const mostEnded = 100_000;

/** The content of a session id. */
interface Claims {
  /** Random. Identifies the session among ended sessions. */
  readonly id: string;
  readonly revision: Revision;
}

/**
 * Sessions of the tool server. Open sessions are not stored. A session id contains the agreed revision, the time of
 * its creation, and a MAC that binds it to its user. So sessions outlive a sidecar, and every sidecar with the
 * issuer's secret accepts them. A session grants no access: every request's credential is checked.
 *
 * Only sessions that clients ended are stored. A sidecar knows its own ended sessions at once, and those of other
 * sidecars within a second.
 */
export class ToolSessions {
  #key: Promise<Buffer> | undefined;
  readonly #ended = new Set<string>();
  #refreshed = Number.NEGATIVE_INFINITY;
  #newest = new Date(0);
  #refreshing: Promise<void> | undefined;

  /** @param clock wall clock, ms. */
  constructor(
    private readonly settings: Pick<Settings, 'issuerSecret' | 'dataDir'>,
    private readonly sql: Sql,
    private readonly clock: () => number = Date.now,
  ) {}

  /** Creates the id of a new session. */
  async open(uid: string, revision: Revision): Promise<string> {
    const claim = Buffer.alloc(claimBytes);
    claim.writeUInt8(revisions.indexOf(revision), 0);
    claim.writeUInt32BE(Math.floor(this.clock() / 1000), 1);
    randomBytes(nonceBytes).copy(claim, 5);
    return `mcp-${Buffer.concat([claim, await this.#mac(claim, uid)]).toString('base64url')}`;
  }

  /** Returns the revision of a session. null if the session is unknown, too old, ended, or belongs to another user. */
  async find(uid: string, id: string): Promise<Revision | null> {
    const claims = await this.#read(uid, id);
    if (claims === null) return null;
    await this.#refresh();
    return this.#ended.has(claims.id) ? null : claims.revision;
  }

  /** Ends a session. @returns false if the user has no such session. */
  async end(uid: string, id: string): Promise<boolean> {
    if ((await this.find(uid, id)) === null) return false;
    const claims = (await this.#read(uid, id))!;
    await recordEndedSession(this.sql, uid, claims.id, fixedLimits.toolSessionAge.value);
    this.#remember(claims.id);
    return true;
  }

  async #mac(claim: Buffer, uid: string): Promise<Buffer> {
    this.#key ??= issuerSecret(this.settings).then((secret) => derivedKey(secret, 'tool sessions'));
    const key = await this.#key.catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return createHmac('sha256', key).update(claim).update(uid).digest().subarray(0, macBytes);
  }

  async #read(uid: string, id: string): Promise<Claims | null> {
    if (!form.test(id)) return null;
    const bytes = Buffer.from(id.slice(4), 'base64url');
    const claim = bytes.subarray(0, claimBytes);
    if (!timingSafeEqual(bytes.subarray(claimBytes), await this.#mac(claim, uid))) return null;
    const revision = revisions[claim.readUInt8(0)];
    const age = this.clock() - claim.readUInt32BE(1) * 1000;
    if (revision === undefined || age > fixedLimits.toolSessionAge.value) return null;
    return { id: claim.subarray(5).toString('base64url'), revision };
  }

  /** Reads newly ended sessions, at most once per `refreshInterval`. Concurrent callers share one read. */
  async #refresh(): Promise<void> {
    if (this.clock() - this.#refreshed < refreshInterval) return;
    this.#refreshing ??= this.#readEnded().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #readEnded(): Promise<void> {
    const began = this.clock();
    const since = new Date(this.#newest.getTime() - overlap);
    for (const { id, ended_at } of await sessionsEndedSince(this.sql, since, mostEnded)) {
      this.#remember(id);
      if (ended_at > this.#newest) this.#newest = ended_at;
    }
    this.#refreshed = began;
  }

  #remember(id: string): void {
    this.#ended.delete(id);
    this.#ended.add(id);
    if (this.#ended.size > mostEnded) this.#ended.delete(this.#ended.values().next().value!);
  }
}
