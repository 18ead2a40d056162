import type { StagedAudio } from '../../audio/files/index.js';
import { joinSamples } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import {
  type OwnerVoiceRow,
  readOwnerVoice,
  readUserSettings,
  removeOwnerVoice,
  writeOwnerVoice,
} from '../../store/records/index.js';
import { decodedParts } from './decoded-parts.js';
import type { EnrolmentWork } from './enrolment-work.js';

/** The stored voice profile of a user, by which streams recognise the user. */
export interface SpeechProfile {
  /** Ms of speech in the recording that the profile was made from. */
  readonly speech: number;
  readonly createdAt: Date;
}

const gone = (): CochleaError => new CochleaError('record_not_found', { kind: 'User' });

const profileOf = (row: OwnerVoiceRow): SpeechProfile => ({
  speech: row.speech_ms,
  createdAt: row.created_at,
});

/** Joins the speech of a file into one recording. @throws CochleaError recording_invalid */
const speechOf = async (
  work: EnrolmentWork,
  audio: StagedAudio,
  signal: AbortSignal,
): Promise<Int16Array> => {
  const parts: Int16Array[] = [];
  for await (const part of decodedParts(work.decoder, audio, signal)) parts.push(part);
  return joinSamples(parts);
};

/** Checks that a user allows stored voices. @throws CochleaError voice_recognition_off, record_not_found */
export const checkVoicesAllowed = async (sql: Sql, uid: string): Promise<void> => {
  const user = await readUserSettings(sql, uid);
  if (user === null) throw gone();
  if (!user.voice_recognition) throw new CochleaError('voice_recognition_off');
};

/**
 * Makes the voice profile of a user from a file. Replaces an earlier profile. Stores embeddings, not the audio.
 * @throws CochleaError voice_recognition_off, voice_profile_short, voice_profile_unavailable, recording_invalid, record_not_found; the
 * reason of the signal.
 */
export const enrolSpeech = async (
  sql: Sql,
  work: EnrolmentWork,
  { uid, audio, signal }: { readonly uid: string; readonly audio: StagedAudio; readonly signal: AbortSignal },
): Promise<SpeechProfile> => {
  const pcm = await speechOf(work, audio, signal);
  const short = (speech: number): CochleaError =>
    new CochleaError('voice_profile_short', {
      seconds: (speech / 1000).toFixed(1),
      needed: work.leastSpeech / 1000,
    });
  const { speech, embeddings } = await work.embed(pcm).catch((thrown: unknown) => {
    throw new CochleaError('voice_profile_unavailable', {}, { cause: thrown });
  });
  signal.throwIfAborted();
  if (speech < work.leastSpeech || embeddings.length === 0) throw short(speech);
  // Checks again, because the user may have turned voice recognition off meanwhile.
  await checkVoicesAllowed(sql, uid);
  if (!(await writeOwnerVoice(sql, uid, { model: work.model, speech, embeddings }))) throw gone();
  return profileOf(
    (await readOwnerVoice(sql, uid)) ?? { speech_ms: speech, model: work.model, created_at: new Date() },
  );
};

/** Returns the voice profile of a user; null if the user has none. */
export const findSpeechProfile = async (sql: Sql, uid: string): Promise<SpeechProfile | null> => {
  const row = await readOwnerVoice(sql, uid);
  return row && profileOf(row);
};

/** Deletes the voice profile of a user, if any. */
export const deleteSpeechProfile = (sql: Sql, uid: string): Promise<void> => removeOwnerVoice(sql, uid);
