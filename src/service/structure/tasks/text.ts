import { taskTitle } from '../language/index.js';
import type { PhraseKind } from './phrases.js';

/**
 * Writes a promise to the listener as a note: "send you the contract" becomes "send the contract". Elsewhere, "you"
 * becomes "them" and "your" becomes "their". Explicit requests keep "your" ("bring your book").
 */
export const asNoted = (task: string, kind: PhraseKind): string => {
  const noted = task
    .replace(
      /^(send|give|bring|show|get|e-?mail|forward|lend|text|mail|hand) you (?=(?:the|a|an|my|our|that|this|some|those|these|all|it|both|\d)\b)/i,
      '$1 ',
    )
    .replace(/(?<![-\w])(?:you guys|you)(?![-\w]| (?:card|note|letter)s?\b)/gi, 'them');
  return kind === 'asked' ? noted : noted.replace(/(?<![-\w])your(?![-\w])/gi, 'their');
};

/** Matches words without meaning between a phrase and its verb. */
const head =
  /^(?:(?:really|just|also|still|probably|definitely|actually|please|quickly|first|then|to|maybe|like|that)[, ]+)+(?=\S)/i;
/** Matches a word with which a task cannot end. Such a word remains if the speaker did not finish the sentence. */
const open = /(?:^|\s)(?:the|a|an|my|our|your|his|their|to|of|and|or|some)$/i;

/** Returns the written form of a task. Empty if the words of the task are incomplete. */
export const writtenTask = (said: string, { thing = false }: { readonly thing?: boolean } = {}): string => {
  const bare = said.replace(/^["“'‘(\s]+|[,\s]+$/gu, '');
  // Removes a closing quotation mark that has no opening one.
  const unquoted = /["”]$/u.test(bare) && !/["“]/u.test(bare.slice(0, -1)) ? bare.slice(0, -1) : bare;
  const text = taskTitle(thing ? unquoted : unquoted.replace(head, ''));
  return open.test(text) ? '' : text.replace(/\s+/g, ' ');
};
