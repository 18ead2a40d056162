import { localTime } from '../../common/local-time/index.js';
import type { ConversationInput, Owner } from './conversation.js';

const languageName = (code: string): string => {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
};

/** Returns the instruction that tells the model in which language to write. */
export const languageRule = ({ language }: Owner): string =>
  language === null
    ? 'Write in the language of the data.'
    : `Write in ${languageName(language)}, whatever the language of the data is.`;

/** Quotes a value that other people wrote. The result is one line, escaped so that the value cannot end the quotation. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 500));

/** Returns the instruction that tells the model who made the recording. */
export const ownerRule = ({ name }: Owner): string =>
  name === null
    ? 'The recording was made by a person who is called "User" in it, where the voice is known.'
    : `The recording was made by a person named ${quoted(name)}.`;

/** Returns the instruction that tells the model when the conversation took place, in the user's local time. */
export const timeRule = ({ owner, transcript }: ConversationInput): string =>
  `The conversation began at ${localTime(transcript.startedAt, owner.timeZone)} local time. Give times as local times, YYYY-MM-DDTHH:MM.`;

/** Returns the data of a question: a list and a transcript. Other people wrote both, so they must not be part of the instructions. */
export const dataWith = (heading: string, listed: readonly string[], transcript: string): string =>
  [
    ...(listed.length === 0 ? [] : [`${heading}:`, ...listed.map((text) => `- ${quoted(text)}`), '']),
    'Transcript:',
    transcript,
  ].join('\n');
