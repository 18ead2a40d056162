import { type Phrase, type PhraseKind, passive, phrases } from './phrases.js';
import { isDoing } from './verbs.js';
import { wordsOf } from './words.js';

/** A sentence without one of these words has no phrase of a task. */
export const hint =
  /\b(?:need|needs|have|has|got|gotta|hafta|needa|oughta|must|should|ought|better|supposed|meant|required|obliged|remind|reminder|forget|remember|note|add|put|to-?do|todo|promised?|will|shall|can|could|would|going|gonna|let|please|mind|sure|favou?r|want|like|(?:i am|we are) to)\b|'(?:ll|ve|m|re|s|d)\b/i;
/** "Add oat milk to my shopping list". */
const listed =
  /\b(?:add|put) (?<task>(?:(?!\b(?:add|put)\b).){2,300}?) (?:to|on|onto|in) (?:my|the|our) (?:[\w-]+ ){0,2}?(?:list|to-?dos?|calendar|agenda)\b/gi;

/** A phrase where it stands in a sentence. */
export interface Anchor {
  readonly kind: PhraseKind;
  readonly phrase: Phrase | null;
  readonly index: number;
  /** Where the words of the task begin. */
  readonly from: number;
  readonly said: string;
  /** When it shall be, as said inside the phrase. */
  readonly when: string;
  /** The task itself where its words do not follow the phrase as they are. */
  readonly whole: string | null;
}

/** The phrases of a sentence that could make tasks, in their order. */
export const anchorsIn = (text: string): Anchor[] => {
  const found: Anchor[] = [];
  for (const phrase of phrases) {
    for (const match of text.matchAll(phrase.said)) {
      found.push({
        kind: phrase.kind,
        phrase,
        index: match.index,
        from: match.index + match[0].length,
        said: match[0],
        when: match.groups?.when ?? match.groups?.when2 ?? '',
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
      whole: match.groups!.task!,
    });
  }
  for (const match of text.matchAll(passive)) {
    const [{ lemma } = { lemma: '' }] = wordsOf(match.groups!.verb!, 'It was ');
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
  // Where one phrase follows or overlaps another, the later one says what it is ("please remind me to").
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
