import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import { CochleaError } from '../errors/index.js';
import type { Summary } from '../store/conversation-completion.js';
import type { Geolocation } from '../store/conversation-record.js';
import type { Sql } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import {
  claimGiven,
  completeGiven,
  type ExistingConversation,
  type GivenConversation,
  releaseGiven,
} from '../store/supplied-conversations.js';
import type { LiveSegment } from '../wire/segment.js';
import { conversationSources } from '../wire/source.js';
import { speakerLabel, speakerNumber } from '../wire/speaker-label.js';
import { storableName, storableText } from '../wire/text.js';
import { invalid, optionalText } from './rules.js';
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

/** What a request says about a conversation beside its content. */
export interface GivenOrigin {
  readonly startedAt?: Date | null | undefined;
  readonly finishedAt?: Date | null | undefined;
  readonly language?: string | null | undefined;
  readonly geolocation?: Geolocation | null | undefined;
  readonly clientSessionId?: string | null | undefined;
  /** The key of the request, which counts as its session when it names none. */
  readonly idempotencyKey?: string | null | undefined;
  readonly clientDeviceId?: string | null | undefined;
  readonly clientPlatform?: string | null | undefined;
}

/** A request to create a conversation from its transcript, its types already checked. */
export interface FromSegments extends GivenOrigin {
  readonly segments: readonly GivenSegment[];
  readonly source?: string | null | undefined;
}

/** Bounds of a supplied conversation; lengths in code points. */
export const suppliedBounds = {
  segments: 500,
  text: 20_000,
  speaker: 100,
  id: 200,
  platform: 100,
  place: 500,
  language: 35,
} as const;

/**
 * A language tag such as `en` or `pt-BR`; `multi` lets the product find the language. It has no flags, because the API's description
 * shows its source alone.
 */
export const languageTag = /^(?:multi|[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})$/;

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
  const refused = (field: string, why: string): CochleaError =>
    invalid(`Segment ${index}: ${why}`, `body.transcript_segments.${index}.${field}`);
  if (given.end <= given.start) throw refused('end', 'end time must be after start time');
  if (given.start < 0) throw refused('start', 'start time cannot be negative');
  const text = storableText(given.text).trim();
  if (text === '') throw refused('text', 'text cannot be empty');
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

const languageOf = (given: string | null | undefined): string => {
  const language = given ?? 'en';
  if (languageTag.test(language)) return language;
  throw invalid('language must be a language code such as en', 'body.language');
};

/**
 * Start and end of a conversation. Without a start it begins now.
 * @param duration ms until its end when the request does not name it.
 * @param shortest whether start and end may be equal.
 */
export const conversationTimes = (
  { startedAt: begun, finishedAt: ended }: Pick<GivenOrigin, 'startedAt' | 'finishedAt'>,
  now: Date,
  duration: number,
  shortest: 'equal' | 'longer',
): { readonly startedAt: Date; readonly finishedAt: Date } => {
  const startedAt = begun ?? now;
  const finishedAt = ended ?? new Date(startedAt.getTime() + duration);
  if (!(finishedAt.getTime() <= latestMoment)) {
    throw invalid('finished_at must be before the year 10000', 'body.finished_at');
  }
  const lasts = finishedAt.getTime() - startedAt.getTime();
  if (lasts < 0 || (lasts === 0 && shortest === 'longer')) {
    throw invalid('finished_at must be after started_at', 'body.finished_at');
  }
  return { startedAt, finishedAt };
};

/** The parts of a supplied conversation that do not depend on its content. */
export const originOf = (uid: string, request: GivenOrigin) => {
  const key = optionalText('Idempotency-Key', request.idempotencyKey, suppliedBounds.id);
  const clientSessionId = storableName(request.clientSessionId) ?? (key && `Idempotency-Key: ${key}`);
  return {
    id: clientSessionId === null ? randomUUID() : uuidv5(`${uid}\0${clientSessionId}`, sessionNamespace),
    uid,
    language: languageOf(request.language),
    clientDeviceId: nameOrNull(request.clientDeviceId),
    clientPlatform: nameOrNull(request.clientPlatform),
    clientSessionId,
    geolocation: placeOf(request.geolocation),
  };
};

const conversationOf = (uid: string, request: FromSegments, now: Date): GivenConversation => {
  const segments = request.segments.map(segmentOf);
  const latestEnd = segments.reduce((latest, segment) => Math.max(latest, segment.end), 0);
  const times = conversationTimes(request, now, latestEnd * 1000, 'longer');
  // Also with an end of its own, because the summary makes dates of the times of segments.
  if (!(times.startedAt.getTime() + latestEnd * 1000 <= latestMoment)) {
    throw invalid('Segments must end before the year 10000', 'body.transcript_segments');
  }
  const source = request.source ?? 'phone';
  return {
    ...originOf(uid, request),
    ...times,
    source: sources.has(source) ? source : 'unknown',
    externalData: null,
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
 * Stores a supplied conversation with its summary. With a client session id it can be repeated, even concurrently: it makes one
 * conversation, and every answer has its id.
 * @throws CochleaError `conversation_claimed` when another request of the same session has just failed.
 */
export const createGiven = async (
  sql: Sql,
  given: GivenConversation,
  summarised: () => Promise<Summary>,
): Promise<CreatedConversation> => {
  const claimant = `request/${randomUUID()}`;
  try {
    if (given.clientSessionId !== null) {
      const existing = await claimOrAwait(sql, given, claimant);
      if (existing) return existing;
    }
    const summary = await summarised();
    if (!(await completeGiven(sql, given, claimant, summary))) throw new CochleaError('conversation_claimed');
    return { id: given.id, status: 'completed', discarded: summary.discarded };
  } catch (error) {
    // The claim is given back even when making it failed, because it may have been stored and only the answer lost.
    if (given.clientSessionId !== null) await giveBack(sql, given.id, claimant);
    throw error;
  }
};

/**
 * Creates a conversation from its transcript and summarises it before answering. It can be repeated as `createGiven` says.
 * @throws CochleaError `validation_failed` with the violated rule; `conversation_claimed`
 */
export const createFromSegments = async (
  sql: Sql,
  extractor: StructureExtractor,
  uid: string,
  request: FromSegments,
  now = new Date(),
): Promise<CreatedConversation> => {
  const given = conversationOf(uid, request, now);
  const { id, language, startedAt, segments } = given;
  return createGiven(sql, given, () => summarise(extractor, { id, language, startedAt, segments }));
};
