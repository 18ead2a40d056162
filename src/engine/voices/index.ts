/** Tells speakers apart and recognises known people by voice: pieces of audio, embeddings, history, enrolment. */
export { createVoices, serveVoices, type VoiceWork } from './channel.js';
export { ConversationVoices } from './conversation-voices.js';
export { type JobsPool, startJobsPool } from './jobs-pool.js';
export { VoiceMemory } from './memory.js';
export { type Assignment, ownerId, PersonLookup, type Refuse } from './person-lookup.js';
export { type VoicePiece, VoicePieces } from './pieces.js';
export type { RecognitionModel } from './recognition.js';
export type { HandedVoices } from './voice-handover.js';
