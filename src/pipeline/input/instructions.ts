import { localTime } from '../../service/rules/index.js';
import type { ConversationInput, Owner } from './conversation.js';

const languageName = (code: string): string => {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
};

/** In which language texts are written. */
export const languageRule = ({ language }: Owner): string =>
  language === null
    ? 'Write in the language of the data.'
    : `Write in ${languageName(language)}, whatever the language of the data is.`;

/** A value that was written by others, on one line and without what could end a quotation. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 500));

/** Whose recording it is. */
export const ownerRule = ({ name }: Owner): string =>
  name === null
    ? 'The recording was made by a person who is called "User" in it, where the voice is known.'
    : `The recording was made by a person named ${quoted(name)}.`;

/** When the conversation took place, on the clock of its user. */
export const timeRule = ({ owner, transcript }: ConversationInput): string =>
  `The conversation began at ${localTime(transcript.startedAt, owner.timeZone)} local time. Give times as local times, YYYY-MM-DDTHH:MM.`;

/** The data of a question that has a list beside the transcript. Both were written by others, so neither stands in the instructions. */
export const dataWith = (heading: string, listed: readonly string[], transcript: string): string =>
  [
    ...(listed.length === 0 ? [] : [`${heading}:`, ...listed.map((text) => `- ${quoted(text)}`), '']),
    'Transcript:',
    transcript,
  ].join('\n');
