import {
  contentOf,
  cut,
  overlap,
  rankSentences,
  type Sentence,
  type SpokenLanguage,
  withoutCorrecting,
  withoutLead,
} from '../language/index.js';
import { capitalised } from './headline.js';

const mostSentences = 3;
const longestOverview = 700;
const fewestWords = 4;
const longestSentence = 320;

/** Matches openings of sentences that refer to earlier words, which the overview may not contain. */
const pointing =
  /^(?:it|it's|that|that's|this|these|those|they|they're|he|he's|she|she's|him|them|which|what|who|there|here)\b/i;

/** Returns a sentence in written form: without opening words, with capitals and a full stop. */
const written = (text: string, language: SpokenLanguage): string => {
  const english = language.code === 'en';
  let rest = text;
  if (english) {
    rest = withoutLead(withoutCorrecting(rest));
    rest = rest
      .replace(/\bi(?='|\b)/g, 'I')
      .replace(/[,;]? (?:you know|i guess|right|okay|and|but|so|or|because)$/i, '');
  }
  rest = rest.replace(/[\s,;:–-]{1,20}$/u, '');
  if (rest === '') return '';
  if (/[.!?…。！？]["”']?$/u.test(rest)) return capitalised(rest);
  if (language.unspaced) return `${rest}。`;
  const asks =
    english &&
    /^(?:can|could|will|would|do|does|did|is|are|was|were|have|has|should|what|when|where|who|why|how)\b(?!.*,)/i.test(
      rest,
    );
  return `${capitalised(rest)}${asks ? '?' : '.'}`;
};

/**
 * Returns two or three complete sentences that cover most of a talk, in spoken order. No two of them have the same
 * subject. If the talk is short, there are fewer.
 */
export const overviewOf = (sentences: readonly Sentence[], language: SpokenLanguage): string => {
  const english = language.code === 'en';
  const texts = sentences.map(({ text }) => written(text, language));
  const size = (text: string): number => (language.unspaced ? text.length / 2 : text.split(' ').length);
  const ranked = rankSentences(sentences).map((index, rank) => ({ index, rank }));
  const penalty = (index: number): number => {
    const text = texts[index]!;
    if (text === '') return 1e6;
    return (
      (size(text) < fewestWords ? 1000 : 0) +
      (text.length > longestSentence ? 500 : 0) +
      (/\?$/.test(text) ? 0.5 * sentences.length : 0) +
      (english && pointing.test(text) ? 0.35 * sentences.length : 0)
    );
  };
  const order = ranked
    .map(({ index, rank }) => ({ index, cost: rank + penalty(index) }))
    .sort((left, right) => left.cost - right.cost);
  const chosen: { index: number; words: ReadonlySet<string> }[] = [];
  let length = 0;
  for (const { index, cost } of order) {
    const text = texts[index]!;
    const wanted = chosen.length < 2 || cost < 500;
    if (text === '' || !wanted || (chosen.length > 0 && length + text.length > longestOverview)) continue;
    const words = contentOf(text);
    if (chosen.some((other) => texts[other.index] === text || overlap(words, other.words) > 0.7)) continue;
    // A remark of one or two words is used only if no sentence was chosen before it.
    if (chosen.length > 0 && size(text) < 3) continue;
    chosen.push({ index, words });
    length += text.length + 1;
    if (chosen.length === mostSentences) break;
  }
  const overview = chosen
    .sort((left, right) => left.index - right.index)
    .map(({ index }) => texts[index]!)
    .join(' ');
  return overview.length <= longestOverview ? overview : `${cut(overview, longestOverview - 1).trimEnd()}…`;
};
