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

/** Most sentences that are read: more of a very long talk would not change its summary, but take longer. */
const mostSentences = 2000;
/** Most sentences whose words are tagged; of a longer talk every second, third, ... one is. */
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
 * Makes a summary without a language model. Titles are key phrases, overviews sentences of the transcript. Phrases for tasks and
 * dates are English; title and overview work in other languages, too.
 */
export const extractiveExtractor = {
  name: 'extractive-2',
  async extract(transcript: SaidTranscript) {
    const { segments, startedAt, timeZone = 'UTC' } = transcript;
    const language = languageOf(transcript);
    const english = language.code === 'en';
    const ruled = english && isEnglish(transcript);
    // What hesitates in English is a word elsewhere ("um acht Uhr").
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
