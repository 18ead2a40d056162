import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { developerScopes } from '../../../src/identity/scopes.js';
import { createUser } from '../../../src/identity/users.js';
import {
  createFromSegments,
  type GivenSegment,
} from '../../../src/service/conversations/supplied-conversations.js';
import { rulesHere } from '../../../src/service/text/text-rules.js';
import type { Sql } from '../../../src/store/client/database.js';
import { checkout } from '../../checkout.js';

/** Ms between the starts of two conversations of a seeded user. */
const conversationEvery = 600_000;
const firstConversation = Date.UTC(2026, 0, 5, 9, 0, 0);
const seedersAtOnce = 4;

const sentences = (): string[] => {
  const file = new URL('fixtures/speech/transcripts.json', checkout);
  const { utterances } = JSON.parse(readFileSync(file, 'utf8')) as { utterances: { text: string }[] };
  return utterances.map(({ text }) => text);
};

/** Returns a transcript with the given number of segments. Its sentences are those of the fixture speech. */
export const transcriptOf = (segments: number): GivenSegment[] => {
  const said = sentences();
  return Array.from({ length: segments }, (_, index) => ({
    text: said[index % said.length]!,
    start: index * 4,
    end: index * 4 + 3.5,
    speaker_id: index % 2,
    is_user: index % 2 === 0,
  }));
};

export interface SeededUser {
  readonly uid: string;
  /** Developer key with every scope. */
  readonly key: string;
  /** Ids of the user's conversations, newest first. */
  readonly conversations: readonly string[];
}

/** Creates an account with a key. Its conversations look as if the route `from-segments` had created them. */
export const seedUser = async (
  sql: Sql,
  uid: string,
  conversations: number,
  segments: number,
): Promise<SeededUser> => {
  await createUser(sql, { uid });
  const scopes = [...developerScopes];
  const { key } = await createApiKey(sql, loadSettings({}).values, {
    uid,
    name: 'bench',
    family: 'dev',
    scopes,
  });
  const transcript = transcriptOf(segments);
  const seed = async (index: number): Promise<string> => {
    const startedAt = new Date(firstConversation + index * conversationEvery);
    const request = { transcript_segments: transcript, started_at: startedAt };
    return (await createFromSegments(sql, rulesHere, uid, request, startedAt)).id;
  };
  const ids = await pLimit(seedersAtOnce).map(Array(conversations).keys(), seed);
  // The tables are vacuumed and analyzed now. Otherwise autovacuum would run during the measurement.
  await sql`vacuum (analyze) conversations, segments`;
  return { uid, key, conversations: ids.reverse() };
};
