import { randomUUID } from 'node:crypto';
import type { ConversationChange, Lease, OpenConversation } from '../../src/journal/index.js';
import { type JournalOptions, openJournal } from '../../src/journal/index.js';
import { createLogger } from '../../src/log/index.js';
import { MetricsTable } from '../../src/metrics/index.js';
import type { LiveSegment, StoredSegment } from '../../src/wire/segment.js';

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

/** A journal with short patience, and its counters. */
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
    log: createLogger('test', process.env.TEST_LOG ?? 'silent'),
    metrics,
    ...changes,
  });
  return { journal, metrics };
};
