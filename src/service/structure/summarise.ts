import type { Summary } from '../../store/conversation-completion.js';
import { emptyStructured, type Structured } from '../../store/conversation-record.js';
import { folderMappingOf, systemFolders } from '../system-folders.js';
import type { StructureExtractor, Transcript } from './extractor.js';
import { relevanceOf } from './relevance.js';

/** What was found in a conversation that is kept, with the folder for its category. */
export const filedSummary = (structured: Structured, generatedBy: string): Summary => ({
  structured,
  generatedBy,
  discarded: false,
  filing: { folders: systemFolders, mapping: folderMappingOf(structured.category) },
});

/** The summary of a conversation that is kept whatever it says. Rejects with the extractor's error. */
export const keptSummary = async (extractor: StructureExtractor, transcript: Transcript): Promise<Summary> =>
  filedSummary(await extractor.extract(transcript), extractor.name);

/**
 * Decides whether a conversation is kept and summarises it. When the rules cannot decide it is kept. A discarded one has an
 * empty title. Rejects with the extractor's error.
 */
export const summarise = async (extractor: StructureExtractor, transcript: Transcript): Promise<Summary> => {
  const { keep } = relevanceOf(transcript.segments);
  if (keep !== false) return keptSummary(extractor, transcript);
  return { structured: emptyStructured, generatedBy: 'rules-1', discarded: true, filing: null };
};
