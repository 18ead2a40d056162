import { emptyStructured } from '../../store/conversation-record.js';
import type { Summary } from '../../store/conversations.js';
import type { StructureExtractor, Transcript } from './extractor.js';
import { relevanceOf } from './relevance.js';

/**
 * Decides whether a conversation is kept and summarises it. When the rules cannot decide it is kept. A discarded one has an
 * empty title. Rejects with the extractor's error.
 */
export const summarise = async (extractor: StructureExtractor, transcript: Transcript): Promise<Summary> => {
  const { keep } = relevanceOf(transcript.segments);
  if (keep === false) return { structured: emptyStructured, generatedBy: 'rules-1', discarded: true };
  return { structured: await extractor.extract(transcript), generatedBy: extractor.name, discarded: false };
};
