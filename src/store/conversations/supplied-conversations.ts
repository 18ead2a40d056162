import { CochleaError } from '../../errors/index.js';
import type { LiveSegment } from '../../wire/index.js';
import { isDeletedAccount } from '../accounts/index.js';
import { firstRow, type Sql } from '../client/index.js';
import { requestSteps } from '../jobs/index.js';
import type { ConversationStatus, Geolocation } from '../record/index.js';
import { insertSegments } from '../segments/index.js';
import { announceCompletion, completion, prepareFiling, type Summary } from './completion.js';

/** A conversation that one request supplies, with a transcript or a text, instead of a stream. */
export interface GivenConversation {
  readonly id: string;
  readonly uid: string;
  readonly source: string;
  readonly language: string;
  readonly clientDeviceId: string | null;
  readonly clientPlatform: string | null;
  readonly clientSessionId: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly geolocation: Geolocation | null;
  readonly segments: readonly LiveSegment[];
  /** Data that the request supplied in addition to the transcript; null when none. */
  readonly externalData: Readonly<Record<string, unknown>> | null;
}

const jsonOrNull = (sql: Sql, value: object | null) => (value === null ? null : sql.json(value as never));

const insertRow = (sql: Sql, given: GivenConversation) => sql`
  insert into conversations (id, uid, status, source, language, client_device_id, client_platform, client_session_id,
    created_at, started_at, finished_at, last_speech_at, geolocation, external_data)
  values (${given.id}, ${given.uid}, 'processing', ${given.source}, ${given.language}, ${given.clientDeviceId},
    ${given.clientPlatform}, ${given.clientSessionId}, ${given.startedAt}, ${given.startedAt}, ${given.finishedAt},
    ${given.finishedAt}, ${jsonOrNull(sql, given.geolocation)}, ${jsonOrNull(sql, given.externalData)})
  on conflict do nothing returning id`;

export interface ExistingConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  readonly discarded: boolean;
  readonly deleted: boolean;
}

/** Returns the conversation that an earlier request of the same client session has stored; null when none. */
export const findGiven = (sql: Sql, id: string): Promise<ExistingConversation | null> =>
  firstRow(sql<ExistingConversation[]>`
    select id, status, discarded, deleted_at is not null as deleted from conversations where id = ${id}`);

/**
 * Stores a supplied conversation with its transcript and summary in one transaction. So other transactions never see a
 * part of the conversation, and a process that dies midway leaves nothing behind. Waits while another transaction
 * stores the same client session.
 * @returns null when it was stored, else the conversation that the other transaction stored.
 */
export const storeGiven = async (
  sql: Sql,
  given: GivenConversation,
  summary: Summary,
): Promise<ExistingConversation | null> =>
  (await sql.begin(async (begun) => {
    const transaction = begun as unknown as Sql;
    await prepareFiling(transaction, given.uid, summary);
    while ((await insertRow(transaction, given)).length === 0) {
      const existing = await findGiven(transaction, given.id);
      // `existing` is missing when its row was removed between the two statements, or when its user is being deleted.
      if (existing) return existing;
      if (await isDeletedAccount(transaction, given.uid))
        throw new CochleaError('account_deletion_in_progress');
    }
    await transaction`update conversations set ${completion(transaction, summary)} where id = ${given.id}`;
    await insertSegments(transaction, given.id, given.segments);
    // The step `structure` makes a better summary when a language model is available. When this step has ended, it
    // requests the steps that depend on the summary.
    if (!summary.discarded) {
      await requestSteps(transaction, given.uid, given.id, [{ step: 'structure', again: false }]);
    }
    await announceCompletion(transaction, given.id);
    return null;
  })) as ExistingConversation | null;
