import type { Sql } from '../../store/client/index.js';
import { readUserKeywords, readUserSettings } from '../../store/records/index.js';
import type { SpeakerLanguages } from '../../stt/providers/index.js';
import type { TranscriptionRequest } from '../../stt/shared/index.js';
import { automaticLanguage } from '../../wire/index.js';

/** The objects needed to find a user's languages and custom words. */
export interface SpeakerContext {
  readonly sql: Sql;
  /** Returns the languages that a user may speak. */
  readonly speakerLanguages: SpeakerLanguages;
}

/**
 * Returns the fields that all requests for transcribing a user's stored audio share. They contain the user's custom
 * words. If the language is to be detected, they also contain the languages that the user may speak.
 */
export const speechRequest = async (
  { sql, speakerLanguages }: SpeakerContext,
  { user, stream, language, signal }: Pick<TranscriptionRequest, 'user' | 'stream' | 'language' | 'signal'>,
): Promise<Omit<TranscriptionRequest, 'pcm'>> => ({
  user,
  stream,
  language,
  ...(language === automaticLanguage
    ? { languages: speakerLanguages(await readUserSettings(sql, user)) }
    : {}),
  keywords: await readUserKeywords(sql, user),
  priority: 'retained',
  ...(signal === undefined ? {} : { signal }),
});
