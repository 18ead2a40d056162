import { withoutDates } from '../dates/index.js';
import {
  cut,
  englishPhrases,
  foreignPhrases,
  hasTopic,
  isFiller,
  isFunctionWord,
  type Phrase,
  rankSentences,
  type Sentence,
  type SpokenLanguage,
  type TaggedWord,
  withoutTail,
} from '../language/index.js';
import { occasionIn } from './occasion.js';

const titleWords = 8;
const titleLength = 80;
/** Minimum score that a phrase needs to be the second phrase of the title, as a share of the best phrase's score. */
const secondPart = 0.25;
/** Minimum score of a longer phrase that replaces a word ("bank account" for "bank"), as a share of the word's score. */
const longerPart = 0.5;

export const capitalised = (text: string): string =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const and: Readonly<Record<string, string>> = {
  de: 'und',
  fr: 'et',
  es: 'y',
  it: 'e',
  pt: 'e',
  nl: 'en',
  sv: 'och',
  no: 'og',
  da: 'og',
  fi: 'ja',
  pl: 'i',
  cs: 'a',
  tr: 've',
  hu: 'és',
  ro: 'și',
  id: 'dan',
  vi: 'và',
  ru: 'и',
  uk: 'і',
  el: 'και',
  ar: 'و',
  he: 'ו',
  fa: 'و',
  hi: 'और',
  ko: '및',
  ja: '、',
  zh: '、',
};

/** Joins two phrases that have no word in common. If no other phrase qualifies, returns only the best phrase. */
const joined = (phrases: readonly Phrase[], language: SpokenLanguage): string => {
  const [best] = phrases;
  if (!best) return '';
  const longer = phrases.find(
    ({ stems, score }) =>
      stems.length > 1 &&
      score >= best.score * longerPart &&
      best.stems.every((stem) => stems.includes(stem)),
  );
  const first = best.stems.length === 1 ? (longer ?? best) : best;
  const second = phrases.find(
    ({ stems, score }) =>
      score >= best.score * secondPart && !stems.some((stem) => first.stems.includes(stem)),
  );
  if (!second) return first.text;
  const word = language.code === 'en' ? 'and' : (and[language.code] ?? ',');
  const both = language.unspaced
    ? `${first.text}${word}${second.text}`
    : `${first.text} ${word} ${second.text}`;
  return both.split(' ').length <= titleWords && both.length <= titleLength ? both : first.text;
};

/** Removes words and punctuation marks with which a title must not end. */
const ended = (text: string): string => {
  const words = text.split(' ');
  while (words.length > 1 && isFunctionWord(words.at(-1)!.toLowerCase())) words.pop();
  return words.join(' ').replace(/[.!?…,;:。！？、]+$/u, '');
};

/** Returns the first words of a sentence, up to a word with which a title may end. */
const opening = (text: string): string => {
  const words = withoutTail(text).split(' ');
  while (
    words.length > 1 &&
    (isFiller(words[0]!.toLowerCase()) || /^(?:and|but|so|or|then|because)$/i.test(words[0]!))
  )
    words.shift();
  return words.length <= titleWords ? words.join(' ') : ended(words.slice(0, titleWords).join(' '));
};

/**
 * Returns a title for the talk. If a sentence names a person and a topic, the title names both. Otherwise the title has the one or two most
 * significant phrases. The title of a short note with a task is the task.
 * @param tagged the words of each sentence; null if the transcript is not English.
 * @param tasks descriptions of the tasks in the talk.
 */
export const titleOf = (
  sentences: readonly Sentence[],
  tagged: readonly (readonly TaggedWord[])[] | null,
  language: SpokenLanguage,
  tasks: readonly string[],
): string => {
  const fitting = (text: string): string => cut(capitalised(text.trim()), titleLength).trim();
  const telling = sentences.filter(({ text }) => hasTopic(text));
  const [task] = tasks.map((description) => ended(withoutDates(description)));
  if (
    telling.length <= 2 &&
    tasks.length === 1 &&
    task!.includes(' ') &&
    task!.split(' ').length <= titleWords
  )
    return fitting(task!);
  for (const words of tagged ?? []) {
    const occasion = occasionIn(words);
    if (occasion !== null && occasion.length <= titleLength) return fitting(occasion);
  }
  const phrases = tagged
    ? englishPhrases(tagged)
    : foreignPhrases(
        sentences.map(({ text }) => text),
        language,
      );
  const title = fitting(joined(phrases, language));
  const [only] = telling;
  if (telling.length === 1 && only!.text.split(' ').length <= 5 && !/\?$/.test(only!.text))
    return fitting(opening(only!.text)) || title;
  if (title !== '') return title;
  for (const index of rankSentences(sentences)) {
    const words = fitting(opening(sentences[index]!.text));
    if (words !== '') return words;
  }
  return 'Conversation';
};
