/** Statements with which users correct a transcript: texts, speakers, and which conversation has which segments. */
export { charactersOf, correctText, type LockedSegment, lockSegment } from './corrected-segments.js';
export {
  countOfSpeaker,
  type NamedBefore,
  nameSpeaker,
  restoreSpeakers,
  type SpeakerOf,
  silentPeople,
} from './named-speakers.js';
export { type ShownSegment, segmentPage, segmentsById } from './segment-pages.js';
