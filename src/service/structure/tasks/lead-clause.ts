import { mentionsIn, type Said } from '../dates/index.js';
import { contracted } from './clause-starts.js';
import { type Word, wordsOf } from './words.js';

const opensClause =
  /^(?:\W|and |so |but |well |also |then |okay |oh )*(?:when|whenever|if|before|after|once|as soon as|until|while|by the time|the next time|next time|on|at|in|by)\b/i;
const thinks = /\b(?:i|we) (?:think|guess|believe|know|suppose|feel like|reckon)\b(?: that)?/i;

/**
 * Returns the words about time before a phrase. They are in the clause of the phrase, or in an earlier clause of time
 * or condition.
 */
export const timeBefore = (sentence: string, clause: string): string => {
  const bare = clause.replace(thinks, ' ');
  // Removes explanations of a date: "On the 15th, which is a Tuesday, I have to".
  const front = sentence
    .slice(0, sentence.length - clause.length)
    .replace(/, (?:which|that)(?: is|'s| will be) [^,]{1,40},(?=\s)/i, ',')
    // Also removes explanations without a verb: "On Friday, my day off, I need to".
    .replace(
      /(?<=\b(?:\w+day|tomorrow|\d(?:st|nd|rd|th))), (?:my|our|his|her|their|the) [^,]{1,40},(?=\s)/i,
      ',',
    );
  const condition =
    /(?:^|[,;]\s*)((?:[^,;]*?\b)?(?:when|if|before|after|once|as soon as|until|by the time|on|at|in|tomorrow|today|tonight|next|this|\w+day)\b[^,;]*),\s*$/i.exec(
      front,
    )?.[1] ?? '';
  const asFront = condition !== '' && (opensClause.test(condition) || !hasVerb(condition)) ? condition : '';
  if (bare.trim() === '') return asFront;
  return opensClause.test(bare) || !hasVerb(bare) ? `${asFront} ${bare}` : asFront;
};

/** Matches a contraction of "is" or "has" after a noun: "My flight's on Friday". */
const shortIs = /\p{L}'s (?:on|at|in|not|been|due|from|this|next|tomorrow|today|tonight|here|\w+ing)\b/iu;

const hasVerb = (text: string): boolean =>
  shortIs.test(text) ||
  wordsOf(text).some(
    ({ tag, low }) =>
      contracted.test(low) || ((tag === 'VERB' || tag === 'AUX') && !/day$|^(?:coming|following)$/.test(low)),
  );

/** Whether a phrase only describes the noun before it: "the bill that I have to pay". */
export const isRelative = (clause: string, words: readonly Word[], said: Said): boolean => {
  if (
    !/\p{L}$/u.test(clause.trimEnd()) ||
    (/^(?:after|before|at|during|in|on|until|for|by|this|next)\b/i.test(clause) && !hasVerb(clause))
  )
    return false;
  const bare = clause.trimEnd();
  const last = wordsOf(bare).at(-1);
  if (
    !last ||
    !(
      ['NOUN', 'PROPN', 'PRON'].includes(last.tag) ||
      /^(?:that|which|who|everything|all|something|anything|thing|stuff|things)$/.test(last.low)
    )
  )
    return false;
  if (mentionsIn(bare, said).some(({ end }) => end >= bare.length)) return false;
  const object = words[1] && /^(?:up|off|out|back|down|over|in)$/.test(words[1].low) ? words[2] : words[1];
  const gap =
    !object ||
    words[0]!.after !== '' ||
    /^(?:ADP|CCONJ|SCONJ|AUX|VERB)$/.test(object.tag) ||
    /^(?:to|by|before|today|tomorrow|tonight|on|next|this|is|are|was|has|have|first|now|soon|and|but|never|always|usually|rarely|all)$/.test(
      object.low,
    );
  return gap;
};
