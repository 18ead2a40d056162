import { randomUUID } from 'node:crypto';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { isDatabaseAway, type Sql } from '../../store/client/index.js';
import {
  beginRetained,
  dropWaiting,
  endRetained,
  extendRetained,
  findLateTarget,
  forgetRetained,
  type LatePlace,
  noteRetained,
  postponeRetained,
  takeDueRetained,
} from '../../store/conversations/index.js';
import type { SpeakerLanguages } from '../../stt/providers/index.js';
import { type RetainedArchive, type RetainedRecord, spokenAt } from '../../stt/retained/index.js';
import type {
  TranscriptionClient,
  TranscriptionRequest,
  TranscriptionResult,
} from '../../stt/shared/index.js';
import { automaticLanguage, speakerLabel } from '../../wire/index.js';
import type { RetainedJob } from '../turns/index.js';
import { errorCode, lostAttempts, retryLimit } from '../work/index.js';
import { storeLateWords } from './late-words.js';
import { speechRequest } from './speech-request.js';

/** The dependencies of the jobs for retained audio. */
export interface RetainedWork {
  readonly archive: RetainedArchive;
  /** Name of the audio's storage. A job runs in a process that can read this storage. */
  readonly place: string;
  readonly transcription: TranscriptionClient;
  /** Returns the languages that a user may speak. */
  readonly speakerLanguages: SpeakerLanguages;
}

export interface RetainedContext extends RetainedWork {
  readonly sql: Sql;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Outcome of an attempt. `settled`: there was nothing to do. `postponed`: the attempt could not run yet. */
export type RetainedOutcome = 'merged' | 'silent' | 'dropped' | 'dead' | 'settled' | 'postponed';

/** Seconds without an extension after which an attempt is considered lost, because its process has probably ended. */
export const attemptPause = 120;
/** Ms between two extensions of a running attempt. */
const attemptExtension = 40_000;
/** Seconds before a retry if the conversation is still in progress. */
const openPause = 10;
/** Seconds before a retry if no provider can transcribe now. */
const awayPause = 15;

/**
 * Takes retained audio that the database lists as due. Users take turns. @param most maximum number of files.
 */
export const takeRetained = async (
  { place, sql, log }: RetainedContext,
  most: number,
): Promise<readonly RetainedJob[]> => {
  const due = most > 0 ? await takeDueRetained(sql, place, attemptPause, most) : [];
  if (due.length > 0) log.debug({ files: due.length }, 'retained audio is due');
  return due;
};

/** Lists the audio in the storage, and takes files that are due. @param most maximum number of files. */
export const lookForRetained = async (
  context: RetainedContext,
  most = 100,
): Promise<readonly RetainedJob[]> => {
  const { archive, place, sql } = context;
  // Engines write the owner into a file's name, so files without an owner are ignored. An engine that was killed may
  // leave the same audio under two names, so keys may be repeated.
  const retained = (await archive.list()).filter(({ owner }) => owner !== undefined);
  const keys = [...new Set(retained.map(({ key }) => key))];
  const states = await noteRetained(sql, place, keys);
  // `done`: the words were stored, but the process ended before it removed the audio.
  for (const [key, state] of states) if (state === 'done') await archive.remove(key);
  await forgetRetained(sql, place, keys);
  return takeRetained(context, most);
};

const placeOf = (record: RetainedRecord): LatePlace => {
  const { user: uid, language, origin } = record;
  const { conversation = null, source = null, device = null, platform = null } = origin ?? {};
  return { uid, conversation, source, device, platform, language, ...spokenAt(record) };
};

/**
 * Transcribes retained audio. Stores the words in their conversation only once, in the transaction that ends the job.
 * Then removes the audio. May be called several times for the same audio.
 * @throws the error if the attempt should be repeated. After the last attempt the job is dead, and the audio stays.
 */
export const transcribeRetained = async (
  context: RetainedContext,
  { key }: RetainedJob,
): Promise<RetainedOutcome> => {
  const { archive, log, signal, sql } = context;
  const attempts = await beginRetained(sql, key, attemptPause);
  if (attempts === null) return 'settled';
  // If the audio crashes the process, the attempt reports no error. This condition limits the number of such attempts.
  if (attempts > retryLimit + lostAttempts) return giveUp(context, key, null, 'internal');
  let uid: string | null = null;
  try {
    const speech = await archive.read(key);
    if (speech === undefined) {
      // The file is missing now, but may appear again. If its job counted as done, the file would be removed when it
      // appears. So the job's row is removed instead. When the file appears, a listing of the storage records it as a
      // new job.
      await dropWaiting(sql, key);
      return 'settled';
    }
    const { record, pcm } = speech;
    uid = record.user;
    const place = placeOf(record);
    const target = await findLateTarget(sql, place);
    if (target.kind === 'open') return await postpone(context, key, openPause);
    if (target.kind === 'gone') return await finish(context, key, uid, 'dropped');
    const stream = `retained/${key}`;
    const { language } = record;
    const request = await speechRequest(context, { user: uid, stream, language, signal });
    const result = await transcribeInTime(context, key, { ...request, pcm });
    if (signal.aborted) return await postpone(context, key, 0);
    // No provider of this deployment supports the language. An operator may add one later.
    if (result.reason === 'language') return await giveUp(context, key, uid, 'language_unsupported');
    const isAway = result.rejected !== undefined || result.outcome === 'config_error';
    if (isAway) return await postpone(context, key, awayPause);
    if (result.outcome === 'timeout') throw new CochleaError('stt_timeout');
    if (result.outcome === 'upstream_error') throw new CochleaError('stt_upstream_error');
    if (result.outcome === 'invalid_input') return await giveUp(context, key, uid, 'stt_invalid_input');
    if (result.text === '') {
      const { from, to } = place;
      log.info(
        { outcome: 'silent', conversation: place.conversation, from, to },
        'retained audio has no words',
      );
      return await finish(context, key, uid, 'silent');
    }
    return await store(context, key, record, place, result);
  } catch (error) {
    if (isDatabaseAway(error) || signal.aborted) throw error;
    const code = errorCode(error);
    if (code === 'retained_store_failed') {
      log.warn({ err: error }, 'retained audio cannot be read yet');
      return postpone(context, key, awayPause);
    }
    // The audio stays unreadable, so a retry would fail in the same way.
    if (code === 'retained_audio_unreadable' || attempts > retryLimit) return giveUp(context, key, uid, code);
    throw error;
  }
};

/** Transcribes the audio. Meanwhile it extends the attempt, because a provider may need longer than `attemptPause`. */
const transcribeInTime = async (
  { sql, transcription }: RetainedContext,
  key: string,
  request: TranscriptionRequest,
): Promise<TranscriptionResult> => {
  const timer = setInterval(() => {
    // If an extension fails, the next one may succeed. If all of them fail, a second attempt begins. Only one of the
    // two attempts can then store its words.
    extendRetained(sql, key, attemptPause).catch(() => undefined);
  }, attemptExtension);
  try {
    return await transcription.transcribe(request);
  } finally {
    clearInterval(timer);
  }
};

/** Returns the language of words: the language of the stream, or the detected language if the stream had none. */
const wordsIn = (place: LatePlace, detected: string): string =>
  place.language === automaticLanguage ? detected : place.language;

const store = async (
  context: RetainedContext,
  key: string,
  { origin }: RetainedRecord,
  place: LatePlace,
  result: Pick<TranscriptionResult, 'text' | 'provider' | 'model' | 'language'>,
): Promise<RetainedOutcome> => {
  const { archive, log, sql } = context;
  const { speaker = speakerLabel(0), speakerId = 0, isUser = false, personId = null } = origin ?? {};
  const { text, provider, model, language = place.language } = result;
  const { from, to } = place;
  const spoken = { id: randomUUID(), text, speaker, speakerId, isUser, personId, provider, model, from, to };
  const stored = await sql.begin(async (transaction) => {
    const ended = await endRetained(transaction, key, place.uid, null, archive.mayComeBack);
    if (!ended) return { outcome: 'settled' as const };
    const conversation = await storeLateWords(transaction, { ...place, language: wordsIn(place, language) }, [
      spoken,
    ]);
    // The conversation is in progress again, so the transaction is rolled back.
    if (conversation === undefined) throw new CochleaError('conversation_unfinished');
    return { outcome: conversation === null ? ('dropped' as const) : ('merged' as const), conversation };
  });
  await archive.remove(key);
  log.info({ ...stored, from, to }, 'retained audio is transcribed');
  return stored.outcome;
};

const finish = async (
  { archive, sql }: RetainedContext,
  key: string,
  uid: string,
  outcome: RetainedOutcome,
): Promise<RetainedOutcome> => {
  await endRetained(sql, key, uid, null);
  await archive.remove(key);
  return outcome;
};

const postpone = async ({ sql }: RetainedContext, key: string, seconds: number): Promise<RetainedOutcome> => {
  await postponeRetained(sql, key, seconds);
  return 'postponed';
};

const giveUp = async (
  { archive, log, sql }: RetainedContext,
  key: string,
  uid: string | null,
  code: string,
): Promise<RetainedOutcome> => {
  log.error({ key, code }, 'retained audio is given up; "cochlea retained" lists it');
  await endRetained(sql, key, uid, code);
  await archive
    .giveUp(key)
    .catch((error: unknown) => log.warn({ err: error }, 'retained audio is not marked'));
  return 'dead';
};
