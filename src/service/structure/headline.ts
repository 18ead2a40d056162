import { rankSentences, type Sentence } from './sentences.js';
import { cut, isContentWord, isFiller, tokensOf } from './words.js';

const titleWords = 9;
const titleLength = 80;
const overviewSentences = 3;
const overviewLength = 700;

/** Words for the persons who are greeted; they are removed together with the greeting. */
const addressees = new Set(['there', 'everyone', 'everybody', 'guys', 'all', 'folks']);

const capitalised = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const withoutFillers = (text: string): string => {
  let rest = text;
  for (;;) {
    const first = /^[\s,.!?;:–-]*([\p{L}']+)[\s,.!?;:–-]+/u.exec(rest);
    const word = first?.[1]?.toLowerCase();
    const greeted = rest !== text && word !== undefined && addressees.has(word);
    if (!first || word === undefined || !(isFiller(word) || greeted)) return rest.trim();
    rest = rest.slice(first[0].length);
  }
};

const shorten = (text: string): string => {
  const words = withoutFillers(text)
    .replace(/[.!?…,;:。！？、]+$/u, '')
    .split(' ');
  let title = '';
  for (const word of words.slice(0, titleWords)) {
    if (title !== '' && title.length + word.length + 1 > titleLength) break;
    title = title === '' ? cut(word, titleLength) : `${title} ${word}`;
  }
  const whole = title.split(' ').length === words.length;
  // A shortened title must not end with words such as "of the".
  let kept = title;
  while (
    !whole &&
    kept.includes(' ') &&
    !isContentWord(tokensOf(kept.slice(kept.lastIndexOf(' ')))[0] ?? '')
  ) {
    kept = kept.slice(0, kept.lastIndexOf(' '));
  }
  return capitalised(kept.replace(/[.!?…,;:。！？、]+$/u, ''));
};

/** The beginning of the sentence that ranks highest. */
export const titleOf = (sentences: readonly Sentence[]): string => {
  const ranked = rankSentences(sentences);
  for (const index of ranked) {
    const title = shorten(sentences[index]!.text);
    if (title !== '') return title;
  }
  return 'Conversation';
};

/** The sentences that rank highest, in the order in which they were said. */
export const overviewOf = (sentences: readonly Sentence[]): string => {
  const chosen = rankSentences(sentences)
    .slice(0, overviewSentences)
    .sort((left, right) => left - right)
    .map((index) => capitalised(withoutFillers(sentences[index]!.text)))
    .filter((text) => text !== '');
  const overview = [...new Set(chosen)]
    .map((text) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`))
    .join(' ');
  return overview.length <= overviewLength ? overview : `${cut(overview, overviewLength - 1).trimEnd()}…`;
};
