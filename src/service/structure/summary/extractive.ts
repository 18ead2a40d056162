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

/** Maximum number of sentences that are read. More of a very long talk would take longer without changing its summary. */
const mostSentences = 2000;
/** Maximum number of sentences whose words are tagged. Of a longer talk every second, third, ... sentence is tagged. */
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
 * Makes a summary without a language model. Titles are key phrases; overviews are sentences of the transcript. Task and date phrases are
 * English. Title and overview also work in other languages.
 */
export const extractiveExtractor = {
  name: 'extractive-2',
  async extract(transcript: SaidTranscript) {
    const { segments, startedAt, timeZone = 'UTC' } = transcript;
    const language = languageOf(transcript);
    const english = language.code === 'en';
    const ruled = english && isEnglish(transcript);
    // English hesitation sounds are words elsewhere ("um acht Uhr").
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
