import type { Sql } from '../../store/client/index.js';
import { readUserSettings } from '../../store/records/index.js';
import type { SpeakerLanguages } from '../../stt/providers/index.js';
import type { TranscriptionRequest } from '../../stt/shared/index.js';
import { automaticLanguage } from '../../wire/index.js';

/** Objects by which the languages of a user are found. */
export interface LanguageContext {
  readonly sql: Sql;
  /** Returns the languages that a user may speak. */
  readonly speakerLanguages: SpeakerLanguages;
}

/** Returns the languages of a request for speech of a user: those that the user may speak, if the language is detected. */
export const languagesOf = async (
  { sql, speakerLanguages }: LanguageContext,
  uid: string,
  language: string,
): Promise<Pick<TranscriptionRequest, 'languages'>> =>
  language === automaticLanguage ? { languages: speakerLanguages(await readUserSettings(sql, uid)) } : {};
