import type { RepeatedRequests } from '../../service/chat/index.js';
import type { Route, RouteContext } from '../frame/index.js';
import { chatByVoice } from './chat-by-voice.js';
import { speechProfileRoutes } from './speech-profile.js';
import { voiceStream } from './stream.js';
import { voiceTranscription } from './transcribe.js';
import { VoicePlaces } from './voice-places.js';

/** Returns the routes of voice messages. Complete messages share one concurrency limit. Live messages have another. */
export const voiceRoutes = (context: RouteContext, repeated: RepeatedRequests): readonly Route[] => {
  const places = new VoicePlaces(context.settings.maxVoiceMessages);
  return [
    voiceTranscription(context, places),
    chatByVoice(context, places, repeated),
    voiceStream(context, new VoicePlaces(context.settings.maxVoiceStreams)),
    ...speechProfileRoutes(context, places),
  ];
};
