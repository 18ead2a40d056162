import type { RouteContext } from '../context.js';
import type { Route } from '../frame/route.js';
import { chatByVoice } from './chat-by-voice.js';
import { speechProfileRoutes } from './speech-profile.js';
import { voiceTranscription } from './transcribe.js';
import { VoicePlaces } from './voice-places.js';

/** Voice messages. All of their routes share the places. */
export const voiceRoutes = (context: RouteContext): readonly Route[] => {
  const places = new VoicePlaces(context.settings.maxVoiceMessages);
  return [
    voiceTranscription(context, places),
    chatByVoice(context, places),
    ...speechProfileRoutes(context, places),
  ];
};
