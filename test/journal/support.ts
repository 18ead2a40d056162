import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { ConversationChange, Lease, OpenConversation } from '../../src/journal/journal.js';
import { openJournal } from '../../src/journal/open-journal.js';
import type { JournalOptions } from '../../src/journal/options.js';
import { createLogger } from '../../src/log/logger.js';
import { MetricsTable } from '../../src/metrics/metrics.js';
import type { Sql } from '../../src/store/client/database.js';
import type { LiveSegment, StoredSegment } from '../../src/wire/segment.js';
import { until } from '../support/until.js';
import { startProxy } from './proxy.js';

export const startOfTime = Date.UTC(2026, 0, 5, 9, 0, 0);

export const segment = (id: string, text: string, start = 0): LiveSegment => ({
  id,
  text,
  speaker: 'SPEAKER_00',
  speaker_id: 0,
  is_user: false,
  person_id: null,
  start,
  end: start + 1,
  translations: [],
  speech_profile_processed: true,
  stt_provider: 'local',
  stt_model: null,
});

export const stored = (id: string, text: string, position = 0, revision = 1): StoredSegment => ({
  segment: segment(id, text, position),
  position,
  revision,
});

export const opening = (changes: Partial<OpenConversation> = {}): OpenConversation => ({
  uid: 'ada',
  source: 'omi',
  deviceId: null,
  language: 'en',
  timeout: 120,
  clientPlatform: null,
  usesCustomStt: false,
  now: startOfTime,
  ...changes,
});

export const change = (
  lease: Lease,
  upserts: readonly StoredSegment[],
  rest: Partial<ConversationChange> = {},
): ConversationChange => ({
  lease,
  startedAt: startOfTime,
  lastSpeechAt: startOfTime + 1000,
  upserts,
  deletions: [],
  ...rest,
});

/** Opens a journal with short timeouts. @returns the journal and its counters. */
export const testJournal = async (
  databaseUrl: string,
  spillDir: string,
  changes: Partial<JournalOptions> = {},
) => {
  const metrics = new MetricsTable(1).row(0);
  const journal = await openJournal({
    databaseUrl,
    spillDir,
    engineId: `engine-${randomUUID().slice(0, 8)}`,
    shard: 0,
    leaseDuration: 30_000,
    databaseTimeout: 1000,
    spillSize: 64 * 1024 * 1024,
    voiceBounds: { samples: 3, people: 100 },
    log: createLogger('test', process.env.TEST_LOG ?? 'silent'),
    metrics,
    ...changes,
  });
  return { journal, metrics };
};

/**
 * Opens a journal behind a proxy with which a test can cut it off from the database. Statements have a long timeout, so
 * that a busy machine does not count as an outage. A test with a silent proxy sets a shorter timeout.
 */
export const proxiedJournal = async (t: Test, databaseUrl: string, changes: Partial<JournalOptions> = {}) => {
  const proxy = await startProxy(databaseUrl);
  const spillDir = t.testdir();
  const made = await testJournal(proxy.url, spillDir, { databaseTimeout: 10_000, ...changes });
  t.teardown(async () => {
    await made.journal.close(0);
    await proxy.close();
  });
  /** Resolves when all spilled data is in the database. */
  const level = () => until(() => made.metrics.get('journal_spill_depth') === 0);
  return { ...made, proxy, spillDir, level };
};

/** Returns the texts of a conversation in the database, in order. */
export const storedTexts = async (sql: Sql, id: string): Promise<string[]> => {
  const rows = await sql<
    { text: string }[]
  >`select text from segments where conversation_id = ${id} and not deleted order by position`;
  return rows.map(({ text }) => text);
};
