import { taskTitle } from '../language/index.js';
import type { PhraseKind } from './phrases.js';

/** Rewrites "send you the contract" for its reader, the sender. Dictated words ("remind me to bring your book") keep "your". */
export const asNoted = (task: string, kind: PhraseKind): string => {
  const noted = task
    .replace(
      /^(send|give|bring|show|get|e-?mail|forward|lend|text|mail|hand) you (?=(?:the|a|an|my|our|that|this|some|those|these|all|it|both|\d)\b)/i,
      '$1 ',
    )
    .replace(/(?<![-\w])(?:you guys|you)(?![-\w]| (?:card|note|letter)s?\b)/gi, 'them');
  return kind === 'asked' ? noted : noted.replace(/(?<![-\w])your(?![-\w])/gi, 'their');
};

/** Empty words between a phrase and the verb. */
const head =
  /^(?:(?:really|just|also|still|probably|definitely|actually|please|quickly|first|then|to|maybe|like|that)[, ]+)+(?=\S)/i;
/** Words at which a task ends incomplete, for example after a false start. */
const open = /(?:^|\s)(?:the|a|an|my|our|your|his|their|to|of|and|or|some)$/i;

/** The written form of a task; empty if its words are incomplete. */
export const writtenTask = (said: string, { thing = false }: { readonly thing?: boolean } = {}): string => {
  const bare = said.replace(/^["“'‘(\s]+|[,\s]+$/gu, '');
  // Removes a closing quotation mark without an opening one.
  const unquoted = /["”]$/u.test(bare) && !/["“]/u.test(bare.slice(0, -1)) ? bare.slice(0, -1) : bare;
  const text = taskTitle(thing ? unquoted : unquoted.replace(head, ''));
  return open.test(text) ? '' : text.replace(/\s+/g, ' ');
};
