import { localTime } from '../../service/rules/index.js';
import type { ConversationInput, Owner } from './conversation.js';

const languageName = (code: string): string => {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
};

/** Tells the model in which language to write. */
export const languageRule = ({ language }: Owner): string =>
  language === null
    ? 'Write in the language of the data.'
    : `Write in ${languageName(language)}, whatever the language of the data is.`;

/** Quotes a value that others wrote: one line, escaped so that it cannot end the quotation. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 500));

/** Tells the model who made the recording. */
export const ownerRule = ({ name }: Owner): string =>
  name === null
    ? 'The recording was made by a person who is called "User" in it, where the voice is known.'
    : `The recording was made by a person named ${quoted(name)}.`;

/** Tells the model when the conversation took place, in the user's local time. */
export const timeRule = ({ owner, transcript }: ConversationInput): string =>
  `The conversation began at ${localTime(transcript.startedAt, owner.timeZone)} local time. Give times as local times, YYYY-MM-DDTHH:MM.`;

/** The data part of a question with a list and a transcript. Others wrote both, so they are kept out of the instructions. */
export const dataWith = (heading: string, listed: readonly string[], transcript: string): string =>
  [
    ...(listed.length === 0 ? [] : [`${heading}:`, ...listed.map((text) => `- ${quoted(text)}`), '']),
    'Transcript:',
    transcript,
  ].join('\n');
