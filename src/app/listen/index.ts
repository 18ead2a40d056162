/** Helpers of `cochlea listen`: credentials, printed segments, speaker names, enrolment. */
export { CredentialsFile } from './credentials-file.js';
export { enrolVoice } from './enrol-voice.js';
export { NamedSpeakers, type SpeakerNames, speakerNameArgument } from './named-speakers.js';
export { SegmentPrinter, segmentLine } from './segment-printer.js';
