/** Helpers of `cochlea listen`: credentials, printed segments, names of speakers, enrolment of a voice. */
export { CredentialsFile } from './credentials-file.js';
export { enrolVoice } from './enrol-voice.js';
export { NamedSpeakers, type SpeakerNames, speakerNameArgument } from './named-speakers.js';
export { SegmentPrinter, segmentLine } from './segment-printer.js';
