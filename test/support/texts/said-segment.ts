import type { LiveSegment } from '../../../src/wire/segment.js';

/**
 * Returns a segment of an unknown speaker at the start of a conversation. @param more fields that replace the default
 * values.
 */
export const saidSegment = (text: string, more: Partial<LiveSegment> = {}): LiveSegment => ({
  id: 's',
  text,
  speaker: 'SPEAKER_00',
  speaker_id: 0,
  is_user: false,
  person_id: null,
  start: 0,
  end: 2,
  translations: [],
  speech_profile_processed: true,
  stt_provider: null,
  stt_model: null,
  ...more,
});
