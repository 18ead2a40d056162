import type { PhraseKind } from './phrases.js';
import { isAct, isAlsoNoun } from './verbs.js';
import type { Word } from './words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const nominative = set('i we he she they');
export const contracted =
  /^(?:i|we|he|she|they|it|that|there|you|this|what|who|here)(?:'m|'re|'s|'ll|'d|'ve|'s)$/i;
export const copula =
  /^(?:is|are|was|were|isn't|aren't|wasn't|weren't|has|hasn't|had|will|won't|would|wouldn't|can|can't|could|couldn't|should|does|doesn't|did|didn't|might|must|needs|says|said|takes|starts|begins|ends|opens|closes|leaves|gets|got|keeps|looks|seems|wants|comes|came|went|goes)$/i;
export const determiners = set(
  'the a an my our your his her their this that these those some every each both all another any no',
);
export const subordinators = set(
  'that who whom whose which when whenever before after until till once while if whether unless as because since where wherever how what why than though although so like except',
);
export const openings =
  /^(?:remind me|don't forget|do not forget|please|let's|can you|could you|would you|will you|make sure|note to self|never mind|nevermind|scratch that|forget it|forget that|do i|do you|did i|did you|should i|should we|is it|are you|what|how|why|thank you|thanks|you know|i mean|kind of|by the way|or else|or something|or whatever)\b/i;
const adverbs = set(
  'also then maybe just finally please quickly afterwards later next and possibly perhaps even',
);
const onWay = /^(?:on (?:the|my|our) way (?:(?:back|home|there) )?|after that |in the meantime )/;
const kin = set(
  'mom mum mommy mama mother dad daddy papa father grandma grandpa granny nana sister brother everyone everybody someone customers friends guests people',
);
const particles = set('up off out back down over away in through around');
export const pronouns = set('it them him her one there');

export const timeWord =
  /^(?:tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|afternoon|evening|night|noon|midnight|weekend|weeks?|days|months?|hours?|minutes|[ap]\.?m\.?|o'clock|half|\d{1,2}(?::\d\d)?|\d{1,2}(?:st|nd|rd|th)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/;

/** The words that follow a task phrase such as "I have to", and the kind of this phrase. */
export interface Place {
  readonly words: readonly Word[];
  readonly kind: PhraseKind;
}

export const at = ({ words }: Place, index: number): Word | undefined => words[index];
export const said = ({ words }: Place, from: number, to: number): string =>
  words
    .slice(from, to)
    .map(({ low }) => low)
    .join(' ');

/** Whether a verb has no object after it. */
const hasGap = (place: Place, verb: number): boolean => {
  const next = at(place, verb + 1);
  return (
    next === undefined ||
    at(place, verb)!.after !== '' ||
    (next.tag === 'ADP' && next.low !== 'to') ||
    timeWord.test(next.low) ||
    /^(?:last|yesterday|and|or|before|earlier|him|her|them|us|here|there)$/.test(next.low)
  );
};

/** Whether a noun phrase that is followed by its verb begins at a word: "the sink is leaking". */
const startsSentence = (place: Place, index: number, loose: boolean): boolean => {
  let nominal = false;
  for (let here = index; here < index + 7; here++) {
    const word = at(place, here);
    if (!word) return false;
    // A subject pronoun, or a word such as "that" or "if", begins another clause. So the noun phrase before it has no
    // verb.
    if (
      here > index &&
      (nominative.has(word.low) || subordinators.has(word.low) || /^(?:it|there|you)$/.test(word.low))
    )
      return false;
    if (
      here > index &&
      (copula.test(word.low) || (word.tag === 'AUX' && !/^(?:be|been|being|have|do)$/.test(word.low)))
    )
      return nominal;
    if (
      here > index &&
      nominal &&
      word.tag === 'VERB' &&
      /(?:ed|[^s]s)$/.test(word.low) &&
      word.lemma !== word.low &&
      !isAlsoNoun(word.lemma)
    )
      // "The insurance my bank requires": a verb without an object describes the noun before it.
      return loose || !hasGap(place, here);
    if (word.tag === 'NOUN' || word.tag === 'PROPN' || word.tag === 'PRON') nominal = true;
    else if (
      !(
        determiners.has(word.low) ||
        word.tag === 'ADJ' ||
        word.tag === 'DET' ||
        word.tag === 'NUM' ||
        word.tag === 'PART'
      )
    )
      return false;
    if (word.after !== '') return false;
  }
  return false;
};

/**
 * Whether the verb after a pronoun has an object. If it has none, the clause describes the noun before the pronoun
 * ("the book I borrowed").
 */
const hasObject = (place: Place, from: number): boolean => {
  let verb = from;
  while (
    /^(?:already|just|also|never|always|still|really|even|only|'ll|will)$/.test(at(place, verb)?.low ?? '')
  )
    verb++;
  const word = at(place, verb);
  const next = at(place, verb + 1);
  if (!word || !next || word.tag !== 'VERB' || word.after !== '') return false;
  if (/^(?:give|send|lend|show|ask|promise|buy|get|bring|owe|offer|make|want|need|have)$/.test(word.lemma))
    return false;
  return determiners.has(next.low) || /^(?:it|them|him|me|us)$/.test(next.low);
};

/**
 * Whether a pronoun and its verb describe the noun before them ("the receipts i got in berlin"). In that case, no
 * object follows the verb.
 */
const describesNoun = (place: Place, index: number): boolean => {
  if (!/^(?:NOUN|PRON|NUM)$/.test(at(place, index - 1)?.tag ?? '')) return false;
  if (!place.words.slice(Math.max(0, index - 5), index - 1).some(({ low }) => determiners.has(low)))
    return false;
  let verb = index + 1;
  while (
    /^(?:just|really|already|still|also|never|don't|didn't|can't|won't|can|will)$/.test(
      at(place, verb)?.low ?? '',
    )
  )
    verb++;
  const word = at(place, verb);
  if (
    !word ||
    !/^(?:need|have|got|forgot|bought|like|want|use|said|found|saw|left|lost|made|promised)$/.test(word.low)
  )
    return false;
  return hasGap(place, verb);
};

/**
 * Whether another statement begins at a word.
 * @param loose whether a punctuation mark or a conjunction precedes the word. If it does, a pronoun alone counts as a
 * subject.
 */
export const startsClause = (place: Place, index: number, loose: boolean): boolean => {
  const word = at(place, index);
  if (!word) return false;
  const next = at(place, index + 1);
  if (contracted.test(word.low)) return true;
  if (openings.test(said(place, index, index + 3))) return true;
  if (nominative.has(word.low)) {
    if (loose || hasObject(place, index + 1)) return true;
    if (describesNoun(place, index)) return false;
    return (
      next !== undefined &&
      /^(?:think|guess|mean|suppose|know|hope|need|have|must|should|forgot|gotta|got|believe|promised|will|am|are|is|was|were|can|can't|don't|won't|just|really|said)$/.test(
        next.low,
      )
    );
  }
  if (/^(?:it|that|this|there|you|these|those)$/.test(word.low)) {
    if (next === undefined) return false;
    // "The essay that is due" describes the essay.
    if (word.low === 'that' && !loose) return /^(?:would|will|sounds|works)$/.test(next.low);
    return copula.test(next.low) || (next.tag === 'AUX' && loose);
  }
  if (loose) return startsSentence(place, index, true);
  // After a noun, a determiner begins another phrase. After a verb, a determiner begins the object.
  const before = at(place, index - 1)!;
  return (
    determiners.has(word.low) &&
    /^(?:NOUN|PROPN|ADV|NUM|ADJ)$/.test(before.tag) &&
    index > 1 &&
    startsSentence(place, index, false)
  );
};

/** Whether a new statement begins at a word with words for its time: "and tomorrow I have to". */
export const startsDated = (place: Place, from: number): boolean => {
  if (
    !/^(?:tomorrow|today|tonight|on|at|by|in|next|this|after|before|then|later|first|when|if|once)$/.test(
      at(place, from)?.low ?? '',
    )
  )
    return false;
  for (let index = from + 1; index < from + 7; index++) {
    const word = at(place, index);
    if (!word || /^(?:VERB|AUX|CCONJ)$/.test(word.tag)) return false;
    if (nominative.has(word.low) || contracted.test(word.low)) return true;
  }
  return false;
};

/** Returns the index of the verb of another task if that task begins at a word; null otherwise. */
export const startsTask = (place: Place, from: number): number | null => {
  let index = from;
  while (adverbs.has(at(place, index)?.low ?? '') && index < from + 3) index++;
  const onTheWay = onWay.exec(said(place, index, index + 5));
  if (onTheWay) index += onTheWay[0].trim().split(' ').length;
  const word = at(place, index);
  if (!word) return null;
  const next = at(place, index + 1);
  const ended = word.after !== '' || next === undefined;
  if (/^\p{Lu}/u.test(word.text)) return null;
  const object =
    !ended &&
    (determiners.has(next.low) ||
      pronouns.has(next.low) ||
      /^(?:me|us)$/.test(next.low) ||
      (next.tag === 'PROPN' && /^\p{Lu}/u.test(next.text)) ||
      kin.has(next.low) ||
      next.tag === 'NUM');
  if (!isAct(word.low)) {
    // A verb that is not in the list counts if it has the form of a verb and a definite object: "and rinse the
    // bottles".
    const verb =
      word.tag === 'VERB' &&
      word.lemma === word.low &&
      !ended &&
      /^(?:the|my|our|your|his|her|their|it|them|him|that|this|those|these)$/.test(next.low);
    return verb ? index : null;
  }
  if (!isAlsoNoun(word.low)) return index;
  if (ended) return null;
  if (object || particles.has(next.low)) return index;
  if (/^(?:for|on)$/.test(next.low)) return /^(?:pay|check|look|call)$/.test(word.low) ? index : null;
  return word.tag === 'VERB' && next.tag !== 'ADP' && next.tag !== 'CCONJ' ? index : null;
};
