import { randomUUID } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { mapInSlices, storableName, storableText } from '../../common/index.js';
import type { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import {
  type ExistingConversation,
  findGiven,
  type GivenConversation,
  type Summary,
  storeGiven,
} from '../../store/conversations/index.js';
import type { Geolocation } from '../../store/record/index.js';
import { readUserSettings } from '../../store/records/index.js';
import {
  areMilliseconds,
  conversationSources,
  emptySegment,
  givenLanguage,
  type LiveSegment,
  latestClientTime,
  numberSpeakers,
  speakerLabel,
  storedLanguage,
} from '../../wire/index.js';
import { invalid, optionalText, type Summariser, summarise } from '../rules/index.js';
import type { Transcript } from '../structure/language/index.js';

export interface GivenSegment {
  readonly text: string;
  /** Seconds from the start of the conversation. */
  readonly start: number;
  readonly end: number;
  readonly speaker?: string | null | undefined;
  readonly speaker_id?: number | null | undefined;
  readonly is_user: boolean;
  readonly person_id?: string | null | undefined;
}

/**
 * A geographic place in a request. If the request omits a text field, such as the address, the stored field is null.
 */
type GivenPlace = Pick<Geolocation, 'latitude' | 'longitude'> & {
  readonly [Name in keyof Geolocation]?: Geolocation[Name] | undefined;
};

/**
 * The facts that a request states about a conversation, apart from its content. Fields have the names of the request's
 * body.
 */
export interface GivenOrigin {
  readonly started_at?: Date | null | undefined;
  readonly finished_at?: Date | null | undefined;
  readonly language?: string | null | undefined;
  readonly geolocation?: GivenPlace | null | undefined;
  readonly client_session_id?: string | null | undefined;
  /** The idempotency key of the request. If the request names no session, the key serves as the session. */
  readonly idempotencyKey?: string | null | undefined;
  readonly client_device_id?: string | null | undefined;
  readonly client_platform?: string | null | undefined;
}

/** A request to create a conversation from a transcript. Its types are already checked. */
export interface FromSegments extends GivenOrigin {
  readonly transcript_segments: readonly GivenSegment[];
  readonly source?: string | null | undefined;
}

/** Limits of a supplied conversation; lengths in code points. */
export const suppliedBounds = {
  segments: 500,
  text: 20_000,
  speaker: 100,
  id: 200,
  platform: 100,
  place: 500,
  language: 35,
} as const;

export interface CreatedConversation {
  readonly id: string;
  readonly status: string;
  readonly discarded: boolean;
}

const sources = new Set(conversationSources);
/** UUID namespace of client session ids. It cannot change, because deployed clients compute the same ids. */
const sessionNamespace = 'fb2f1f36-3c84-47a4-9c62-b3f6fdb3fd13';
const latestMoment = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Returns a name in storable form; null for an empty or missing name. */
const nameOrNull = (name: string | null | undefined): string | null => storableName(name || null);

const labelOf = ({ speaker, speaker_id: number }: GivenSegment): string =>
  storableText(speaker ?? speakerLabel(number ?? 0));

const segmentOf = (given: GivenSegment, index: number, speakerId: number): LiveSegment => {
  const refused = (field: string, why: string): CochleaError =>
    invalid(`Segment ${index}: ${why}`, `body.transcript_segments.${index}.${field}`);
  if (given.end <= given.start) throw refused('end', 'end time must be after start time');
  if (given.start < 0) throw refused('start', 'start time cannot be negative');
  const text = storableText(given.text).trim();
  if (text === '') throw refused('text', 'text cannot be empty');
  return {
    ...emptySegment,
    id: randomUUID(),
    text,
    speaker: labelOf(given),
    speaker_id: speakerId,
    is_user: given.is_user,
    person_id: nameOrNull(given.person_id),
    start: given.start,
    end: given.end,
  };
};

/** Converts segments and sorts them by start. Each distinct label of a speaker gets a separate speaker number. */
const segmentsOf = async (given: readonly GivenSegment[]): Promise<LiveSegment[]> => {
  const numbers = numberSpeakers(
    given.map((segment) => ({ label: labelOf(segment), number: segment.speaker_id })),
  );
  const segments = await mapInSlices(given, (segment, index) => segmentOf(segment, index, numbers[index]!));
  return segments.sort((one, other) => one.start - other.start);
};

/** Drops impossible coordinates instead of refusing them, because deployed clients send such coordinates. */
const placeOf = (given: GivenPlace | null | undefined): Geolocation | null => {
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
  if (givenLanguage.test(given?.trim() ?? '')) return storedLanguage(given);
  throw invalid('language must be a language code such as en', 'body.language');
};

/**
 * Returns start and end of a conversation. If the request names no start, the conversation starts at `now`.
 * @param duration ms from start to end if the request names no end.
 * @param shortest `equal`: start and end may be equal; `longer`: the end must be later.
 */
export const conversationTimes = (
  { started_at: begun, finished_at: ended }: GivenOrigin,
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

/** Returns the fields of a supplied conversation that do not depend on its content. */
export const originOf = (uid: string, request: GivenOrigin) => {
  const key = optionalText('Idempotency-Key', request.idempotencyKey, suppliedBounds.id);
  const clientSessionId = storableName(request.client_session_id) ?? (key && `Idempotency-Key: ${key}`);
  return {
    id: clientSessionId === null ? randomUUID() : uuidv5(`${uid}\0${clientSessionId}`, sessionNamespace),
    uid,
    language: languageOf(request.language),
    clientDeviceId: nameOrNull(request.client_device_id),
    clientPlatform: nameOrNull(request.client_platform),
    clientSessionId,
    geolocation: placeOf(request.geolocation),
  };
};

/**
 * Checks that times are seconds from the conversation's start. If the speech would be very slow, the times are probably
 * milliseconds, and the request is refused. If the request names an end that confirms the times, they are accepted.
 * @throws CochleaError `validation_failed`. Its message says that the times seem to be milliseconds, or seem to count
 * from another moment.
 */
const checkTimes = (
  segments: readonly LiveSegment[],
  { started_at: begun, finished_at: ended }: GivenOrigin,
  now: Date,
): void => {
  const field = 'body.transcript_segments';
  const lasts = ended ? ended.getTime() - (begun ?? now).getTime() : 0;
  if (areMilliseconds(segments, Math.max(0, lasts) / 1000))
    throw invalid('Segment times are in milliseconds; start and end must be in seconds', field);
  if (segments.some(({ start }) => start > latestClientTime))
    throw invalid('Segment times must count from the start of the conversation', field);
};

const conversationOf = async (uid: string, request: FromSegments, now: Date): Promise<GivenConversation> => {
  const segments = await segmentsOf(request.transcript_segments);
  const latestEnd = segments.reduce((latest, segment) => Math.max(latest, segment.end), 0);
  // Times that are too late even if they are milliseconds are refused below, with another error.
  if (latestEnd <= latestMoment) checkTimes(segments, request, now);
  const times = conversationTimes(request, now, latestEnd * 1000, 'longer');
  // This check also applies if the request names an end, because the summary converts segment times to dates.
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

/**
 * Stores a supplied conversation with its summary. With a client session id the request is idempotent. Concurrent
 * requests, or a retry after a crash, create only one conversation. All requests return its id. Each concurrent request
 * makes a summary before it stores anything. Only the first of these summaries is stored.
 */
export const createGiven = async (
  sql: Sql,
  given: GivenConversation,
  summarised: () => Promise<Summary>,
): Promise<CreatedConversation> => {
  const earlier = given.clientSessionId === null ? null : await findGiven(sql, given.id);
  if (earlier) return answerOf(earlier);
  const summary = await summarised();
  const existing = await storeGiven(sql, given, summary);
  return existing ? answerOf(existing) : { id: given.id, status: 'completed', discarded: summary.discarded };
};

/** Reads the facts about the user that a summary needs. */
export const spokenTo = async (sql: Sql, uid: string): Promise<Pick<Transcript, 'timeZone' | 'userName'>> => {
  const settings = await readUserSettings(sql, uid);
  return { timeZone: settings?.time_zone, userName: settings?.name };
};

/**
 * Creates a conversation from a transcript and summarises it before answering. Idempotent like `createGiven`.
 * @throws CochleaError `validation_failed` that names the violated rule; errors of `rules`
 */
export const createFromSegments = async (
  sql: Sql,
  rules: Summariser,
  uid: string,
  request: FromSegments,
  now = new Date(),
): Promise<CreatedConversation> => {
  const given = await conversationOf(uid, request, now);
  const { id, language, startedAt, segments } = given;
  return createGiven(sql, given, async () =>
    summarise(rules, { id, language, startedAt, segments, ...(await spokenTo(sql, uid)) }, uid),
  );
};
