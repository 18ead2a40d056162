import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import { CochleaError } from '../errors/index.js';
import type { ConversationRecord, Geolocation } from '../store/conversation-record.js';
import {
  type ConversationFilter,
  claimGiven,
  completeGiven,
  type ExistingConversation,
  type GivenConversation,
  listConversations,
  readConversation,
  releaseGiven,
  type Summary,
} from '../store/conversations.js';
import type { Sql } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import type { LiveSegment } from '../wire/segment.js';
import { conversationSources } from '../wire/source.js';
import { speakerLabel, speakerNumber } from '../wire/speaker-label.js';
import { storableName, storableText } from '../wire/text.js';
import { invalid } from './rules.js';
import { conversationCategories } from './structure/categories.js';
import type { StructureExtractor } from './structure/extractor.js';
import { summarise } from './structure/summarise.js';

export interface GivenSegment {
  readonly text: string;
  /** Seconds from the start of the conversation. */
  readonly start: number;
  readonly end: number;
  readonly speaker?: string | null;
  readonly speakerId?: number | null;
  readonly isUser: boolean;
  readonly personId?: string | null;
}

/** A request to create a conversation from its transcript, its types already checked. */
export interface FromSegments {
  readonly segments: readonly GivenSegment[];
  readonly source?: string | null;
  readonly startedAt?: Date | null;
  readonly finishedAt?: Date | null;
  readonly language?: string | null;
  readonly geolocation?: Geolocation | null;
  readonly clientSessionId?: string | null;
  readonly clientDeviceId?: string | null;
  readonly clientPlatform?: string | null;
}

export interface CreatedConversation {
  readonly id: string;
  readonly status: string;
  readonly discarded: boolean;
}

const sources = new Set(conversationSources);
/** Namespace of the ids of client sessions. It cannot change, because deployed clients compute the same ids. */
const sessionNamespace = 'fb2f1f36-3c84-47a4-9c62-b3f6fdb3fd13';
/** Ms that a repeated request waits for the first one while that is still running. */
const claimWait = 2000;
/** Longest pause (ms) between two attempts to give a claim back. */
const longestPause = 25_600;
const latestMoment = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Text as it can be stored; null for an empty or missing name. */
const nameOrNull = (name: string | null | undefined): string | null => storableName(name || null);

const segmentOf = (given: GivenSegment, index: number): LiveSegment => {
  const at = `body.transcript_segments.${index}`;
  if (given.end <= given.start) {
    throw invalid(`Segment ${index}: end time must be after start time`, `${at}.end`);
  }
  if (given.start < 0) throw invalid(`Segment ${index}: start time cannot be negative`, `${at}.start`);
  const text = storableText(given.text).trim();
  if (text === '') throw invalid(`Segment ${index}: text cannot be empty`, `${at}.text`);
  const speaker = storableText(given.speaker ?? speakerLabel(0));
  return {
    id: randomUUID(),
    text,
    speaker,
    speaker_id: given.speakerId ?? speakerNumber(speaker),
    is_user: given.isUser,
    person_id: nameOrNull(given.personId),
    start: given.start,
    end: given.end,
    translations: [],
    speech_profile_processed: true,
    stt_provider: null,
  };
};

/** Impossible coordinates are dropped and not refused, because deployed clients send them. */
const placeOf = (given: Geolocation | null | undefined): Geolocation | null => {
  if (!given) return null;
  const { latitude, longitude } = given;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null;
  return {
    latitude,
    longitude,
    address: nameOrNull(given.address),
    google_place_id: nameOrNull(given.google_place_id),
    location_type: nameOrNull(given.location_type),
  };
};

const conversationOf = (uid: string, request: FromSegments, now: Date): GivenConversation => {
  const segments = request.segments.map(segmentOf);
  const startedAt = request.startedAt ?? now;
  const latestEnd = segments.reduce((latest, segment) => Math.max(latest, segment.end), 0);
  const finishedAt = request.finishedAt ?? new Date(startedAt.getTime() + latestEnd * 1000);
  if (!(finishedAt.getTime() <= latestMoment)) {
    throw invalid('finished_at must be before the year 10000', 'body.finished_at');
  }
  if (finishedAt.getTime() <= startedAt.getTime()) {
    throw invalid('finished_at must be after started_at', 'body.finished_at');
  }
  const clientSessionId = storableName(request.clientSessionId);
  const source = request.source ?? 'phone';
  return {
    id: clientSessionId === null ? randomUUID() : uuidv5(`${uid}\0${clientSessionId}`, sessionNamespace),
    uid,
    source: sources.has(source) ? source : 'unknown',
    language: storableText(request.language ?? 'en'),
    clientDeviceId: nameOrNull(request.clientDeviceId),
    clientPlatform: nameOrNull(request.clientPlatform),
    clientSessionId,
    startedAt,
    finishedAt,
    geolocation: placeOf(request.geolocation),
    segments,
  };
};

const answerOf = (existing: ExistingConversation): CreatedConversation =>
  existing.deleted
    ? { id: existing.id, status: 'deleted', discarded: true }
    : { id: existing.id, status: existing.status, discarded: existing.discarded };

/** Claims the id, or waits for the request that holds the claim. @returns null when this request holds the claim. */
const claimOrAwait = async (
  sql: Sql,
  given: GivenConversation,
  claimant: string,
): Promise<CreatedConversation | null> => {
  const deadline = Date.now() + claimWait;
  for (let pause = 10; ; pause = Math.min(2 * pause, 250)) {
    const existing = await claimGiven(sql, given, claimant);
    if (existing === null) return null;
    const late = Date.now() >= deadline;
    if (existing === 'vanished') {
      if (late) throw new CochleaError('conversation_claimed');
    } else if (late || existing.status !== 'processing') {
      return answerOf(existing);
    }
    await sleep(pause);
  }
};

/**
 * Gives a claim back, so that a repeated request starts anew. When the database is away, attempts continue in the background
 * for about a minute; without them the session would have to wait until the claim expires.
 */
const giveBack = async (sql: Sql, id: string, claimant: string): Promise<void> => {
  const once = (): Promise<boolean> =>
    releaseGiven(sql, id, claimant).then(
      () => true,
      (error: unknown) => !isDatabaseAway(error),
    );
  if (await once()) return;
  void (async () => {
    for (let pause = 100; pause <= longestPause; pause *= 2) {
      await sleep(pause, undefined, { ref: false });
      if (await once()) return;
    }
  })();
};

/**
 * Creates a conversation from its transcript and summarises it before answering. With a client session id the request can be
 * repeated, even concurrently: it creates one conversation, and every answer has its id.
 * @throws CochleaError `validation_failed` with the violated rule; `conversation_claimed` when another request of the same
 *   session has just failed.
 */
export const createFromSegments = async (
  sql: Sql,
  extractor: StructureExtractor,
  uid: string,
  request: FromSegments,
  now = new Date(),
): Promise<CreatedConversation> => {
  const given = conversationOf(uid, request, now);
  const claimant = `request/${randomUUID()}`;
  try {
    if (given.clientSessionId !== null) {
      const existing = await claimOrAwait(sql, given, claimant);
      if (existing) return existing;
    }
    const { id, language, startedAt, segments } = given;
    const summary: Summary = await summarise(extractor, { id, language, startedAt, segments });
    if (!(await completeGiven(sql, given, claimant, summary))) throw new CochleaError('conversation_claimed');
    return { id, status: 'completed', discarded: summary.discarded };
  } catch (error) {
    // The claim is given back even when making it failed, because it may have been stored and only the answer lost.
    if (given.clientSessionId !== null) await giveBack(sql, given.id, claimant);
    throw error;
  }
};

export interface ConversationQuery extends Omit<ConversationFilter, 'categories'> {
  readonly categories?: readonly string[];
}

/**
 * A page of a user's conversations. Locked ones are left out after paging, so a page may have fewer entries.
 * @throws CochleaError `bad_request` for a category that does not exist.
 */
export const listConversationsOf = async (
  sql: Sql,
  uid: string,
  query: ConversationQuery,
): Promise<ConversationRecord[]> => {
  for (const category of query.categories ?? []) {
    if (!conversationCategories.includes(category)) {
      throw new CochleaError('bad_request', { why: `Invalid category ${category}` });
    }
  }
  return (await listConversations(sql, uid, query)).filter((conversation) => !conversation.is_locked);
};

/** One of a user's conversations, in any status. @throws CochleaError `conversation_not_found`, also for a locked one. */
export const getConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  transcript: boolean,
): Promise<ConversationRecord> => {
  const found = await readConversation(sql, id, { uid, transcript });
  if (!found || found.is_locked) throw new CochleaError('conversation_not_found');
  return found;
};
