import { categoryOf } from './categories.js';
import { actionItemsOf, eventsOf } from './commitments.js';
import type { StructureExtractor } from './extractor.js';
import { overviewOf, titleOf } from './headline.js';
import { sentencesOf } from './sentences.js';

/** Most sentences that are read: more of a very long talk would not change its summary but block the thread longer. */
const mostSentences = 2000;

/**
 * Makes a summary without a language model, from sentences of the transcript. Phrases for tasks and dates are English; title
 * and overview work in other languages, too.
 */
export const extractiveExtractor: StructureExtractor = {
  name: 'extractive-1',
  async extract(transcript) {
    const sentences = sentencesOf(transcript.segments, mostSentences);
    const { category, emoji } = categoryOf(sentences.map((sentence) => sentence.text).join('\n'));
    return {
      title: titleOf(sentences),
      overview: overviewOf(sentences),
      emoji,
      category,
      action_items: actionItemsOf(sentences, {
        startedAt: transcript.startedAt,
        conversationId: transcript.id,
      }),
      events: eventsOf(sentences, transcript.startedAt),
    };
  },
};
