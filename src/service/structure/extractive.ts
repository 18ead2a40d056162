import { categoryOf } from './categories.js';
import { actionItemsOf, eventsOf } from './commitments.js';
import type { StructureExtractor } from './extractor.js';
import { overviewOf, titleOf } from './headline.js';
import { sentencesOf } from './sentences.js';

/** More of a very long talk does not change its summary, but would hold the thread. */
const mostSentences = 2000;

/**
 * The summary made without a language model: sentences of the transcript itself, never invented ones. Phrases for
 * tasks and dates are English; in other languages title and overview still hold.
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
