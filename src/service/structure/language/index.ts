/** Tools for sentences: parts of speech, abbreviations, numbers, ranking. */
export { hiddenAbbreviations, shownAbbreviations } from './abbreviations.js';
export type { Relevance, SaidSegment, SaidTranscript, StructureExtractor, Transcript } from './extractor.js';
export { englishPhrases, foreignPhrases, hasTopic, type Phrase } from './phrases.js';
export { contentOf, overlap, rankSentences } from './ranking.js';
export { type Sentence, sentencesOf } from './sentences.js';
export { firstStatement, withoutCorrecting, withoutHesitation, withoutLead, withoutTail } from './spoken.js';
export { spokenNumber } from './spoken-number.js';
export { isEnglish, languageOf, type SpokenLanguage } from './tag-language.js';
export { type TaggedWord, taggedWords } from './tagged.js';
export { taskTitle } from './task-title.js';
export { cut, isContentWord, isFiller, isFunctionWord, tokensOf } from './words.js';
