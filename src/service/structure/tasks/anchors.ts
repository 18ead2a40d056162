import { numberWord } from '../dates/index.js';
import { type Phrase, type PhraseKind, passive, phrases } from './phrases.js';
import { isDoing } from './verbs.js';
import { wordsOf } from './words.js';

/** Pattern that matches every task phrase. It is tested first, because it is fast. */
export const hint =
  /\b(?:need|needs|have|has|got|gotta|hafta|needa|oughta|must|should|ought|better|supposed|meant|required|obliged|remind|reminder|forget|remember|note|add|put|to-?do|todo|promised?|will|shall|can|could|would|going|gonna|let|please|mind|sure|favou?r|want|like|(?:i am|we are) to)\b|'(?:ll|ve|m|re|s|d)\b/i;
/** Matches a request to add an item to a list: "Add oat milk to my shopping list". */
const listed =
  /\b(?:add|put) (?<task>(?:(?!\b(?:add|put)\b).){2,300}?) (?:to|on|onto|in) (?:my|the|our) (?:[\w-]+ ){0,2}?(?:list|to-?dos?|calendar|agenda)\b/gi;

/** Verbs with a participle equal to their base form. */
const unchanged = new Set(
  'put cut set shut read quit bet cast hit split cost hurt let spread shed rid'.split(' '),
);

/** A phrase that may begin a task, such as "I have to" or "remind me to", at its position in a sentence. */
export interface Anchor {
  readonly kind: PhraseKind;
  readonly phrase: Phrase | null;
  readonly index: number;
  /** Position in the sentence at which the words of the task begin. */
  readonly from: number;
  readonly said: string;
  /** The time that the phrase itself names; empty if it names none. */
  readonly when: string;
  /** The complete text of the task, if it does not consist only of the words after the phrase; null otherwise. */
  readonly whole: string | null;
}

const minutesTo = new RegExp(
  `\\b(?:(?<!\\bfrom |\\bbetween )(?:(?<=\\b(?:at|by|before|until|till|around|about|after|for|exactly|like) )(?:\\d{1,2}|${numberWord})|(?:a )?quarter|twenty(?:[ -]five)?|(?:\\d{1,2}|${numberWord}) minutes?)) to (?=(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2}|noon|midday|midnight)(?![\\w:-]))`,
  'gi',
);
/** The characters that replace "to". They are as long as "to", and no phrase contains them. */
const hidden = '‡‡';
/** Hides the "to" of a clock time ("ten to six"), so that it does not begin a task. */
const withClocksHidden = (text: string): string =>
  text.replace(minutesTo, (words) => `${words.slice(0, -3)}${hidden} `);
const shown = (text: string): string => text.replaceAll(hidden, 'to');

/** Finds the phrases of a sentence that may state tasks, in order. */
export const anchorsIn = (said: string): Anchor[] => {
  const text = withClocksHidden(said);
  const found: Anchor[] = [];
  for (const phrase of phrases) {
    for (const match of text.matchAll(phrase.said)) {
      found.push({
        kind: phrase.kind,
        phrase,
        index: match.index,
        from: match.index + match[0].length,
        said: shown(match[0]),
        when: shown(match.groups?.when ?? match.groups?.when2 ?? ''),
        whole: null,
      });
    }
  }
  for (const match of text.matchAll(listed)) {
    found.push({
      kind: 'asked',
      phrase: null,
      index: match.index,
      from: match.index + match[0].length,
      said: match[0],
      when: '',
      whole: shown(match.groups!.task!),
    });
  }
  for (const match of text.matchAll(passive)) {
    const [verb] = wordsOf(match.groups!.verb!, 'It was ');
    // "Has to get his teeth out" is another person's task and not a passive.
    if (verb === undefined || (verb.lemma === verb.low && !unchanged.has(verb.low))) continue;
    const { lemma } = verb;
    if (!isDoing(lemma, ['the'])) continue;
    found.push({
      kind: 'passive',
      phrase: null,
      index: match.index,
      from: match.index + match[0].length,
      said: match[0],
      when: '',
      whole: `${lemma} ${match.groups!.thing!.trim().replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())}`,
    });
  }
  found.sort((left, right) => left.index - right.index || right.from - left.from);
  // If one phrase follows directly after or overlaps an earlier phrase, only the later phrase is kept ("please remind
  // me to").
  const kept: Anchor[] = [];
  for (const anchor of found) {
    const last = kept.at(-1);
    if (
      last &&
      anchor.index < last.from &&
      anchor.from <= last.from &&
      !(anchor.kind === 'asked' && last.kind !== 'asked' && !anchor.phrase?.first)
    )
      continue;
    if (last && anchor.index < last.from && anchor.phrase?.first) continue;
    if (last && anchor.index <= last.from) kept.pop();
    kept.push(anchor);
  }
  return kept;
};
