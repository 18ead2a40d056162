import type { Summary } from '../../store/conversations/index.js';
import { emptyStructured, type Structured } from '../../store/record/index.js';
import type { Relevance, StructureExtractor, Transcript } from '../structure/language/index.js';
import { folderMappingOf, systemFolders } from './system-folders.js';

/** Returns the summary of a conversation that is kept, with the folder of its category. */
export const filedSummary = (structured: Structured, generatedBy: string): Summary => ({
  structured,
  generatedBy,
  discarded: false,
  filing: { folders: systemFolders, mapping: folderMappingOf(structured.category) },
});

/** Summarises a conversation that the caller keeps regardless of its content. Rejects with the extractor's error. */
export const keptSummary = async (
  extractor: StructureExtractor,
  transcript: Transcript,
  uid: string,
): Promise<Summary> => filedSummary(await extractor.extract(transcript, uid), extractor.name);

/** Decides whether a conversation is kept, and makes its summary. */
export interface Summariser extends StructureExtractor {
  relevance(transcript: Transcript, uid: string): Promise<Relevance>;
}

/**
 * Decides whether a conversation is kept, and summarises it. If the rules cannot decide, the conversation is kept. A
 * discarded conversation has an empty title. Rejects with the error of the rules.
 */
export const summarise = async (rules: Summariser, transcript: Transcript, uid: string): Promise<Summary> => {
  const { keep } = await rules.relevance(transcript, uid);
  if (keep !== false) return keptSummary(rules, transcript, uid);
  return { structured: emptyStructured, generatedBy: 'rules-1', discarded: true, filing: null };
};
