import {
  isEnglish,
  languageOf,
  type SaidTranscript,
  type Sentence,
  type StructureExtractor,
  sentencesOf,
  type TaggedWord,
  taggedWords,
  withoutHesitation,
} from '../language/index.js';
import { actionItemsOf } from '../tasks/index.js';
import { categoryOf } from './categories.js';
import { eventsOf } from './events.js';
import { titleOf } from './headline.js';
import { overviewOf } from './overview.js';

/** Maximum number of sentences that are read. In a very long talk, more sentences would take time without changing the summary. */
const mostSentences = 2000;
/** Maximum number of sentences whose words are tagged. In a longer talk, only every nth sentence is tagged. */
const mostTagged = 600;
const tag = (sentences: readonly Sentence[]): TaggedWord[][] => {
  const step = Math.max(1, Math.ceil(sentences.length / mostTagged));
  const tagged: TaggedWord[][] = [];
  for (let index = 0; index < sentences.length; index += step) {
    tagged.push(taggedWords(sentences[index]!.text));
  }
  return tagged;
};

/**
 * Makes a summary without a language model. Titles are key phrases, and overviews are sentences of the transcript. Titles and overviews
 * work in many languages. Tasks and dates are found only in English.
 */
export const extractiveExtractor = {
  name: 'extractive-2',
  async extract(transcript: SaidTranscript) {
    const { segments, startedAt, timeZone = 'UTC' } = transcript;
    const language = languageOf(transcript);
    const english = language.code === 'en';
    const ruled = english && isEnglish(transcript);
    // Removes hesitation sounds only from English, because some of them are words in other languages ("um acht Uhr").
    const sentences = sentencesOf(segments, mostSentences, english ? withoutHesitation : (text) => text);
    const { category, emoji } = categoryOf(sentences.map((sentence) => sentence.text).join('\n'));
    const items = ruled
      ? actionItemsOf(sentences, { startedAt, timeZone, conversationId: transcript.id })
      : [];
    const tagged = english ? tag(sentences) : null;
    return {
      title: titleOf(
        sentences,
        tagged,
        language,
        items.map(({ description }) => description),
      ),
      overview: overviewOf(sentences, language),
      emoji,
      category,
      action_items: items,
      events: ruled ? eventsOf(sentences, { startedAt, timeZone }) : [],
    };
  },
} satisfies StructureExtractor;
