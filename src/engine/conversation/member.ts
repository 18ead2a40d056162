import type { PastConversation } from '../../journal/index.js';
import type { OpenRequest } from '../../wire/index.js';
import type { StreamPositions } from '../positions/index.js';
import type { Listener } from './completions.js';

/** The part of a socket that its conversation uses. */
export interface Member extends Listener {
  /** Id of the recording, as used in events. */
  readonly stream: string;
  /** Whether an utterance is open. */
  readonly speaking: boolean;
  /** Number of utterances that have no words yet. */
  readonly queued: number;
  /** Options for the next conversation of this user, source and device. */
  readonly conversationOptions: ConversationOptions;
  /** The id that the client proposes for its conversation, or null. */
  readonly proposedConversation: string | null;
  /** Positions of the stream on its device's clock; null if the client does not use them. */
  readonly positions: StreamPositions | null;
  /** Closes the socket when segments cannot be stored, so that the client does not consider them stored. */
  fault(thrown: unknown): void;
}

/** Result of joining a conversation. */
export interface JoinedConversation {
  readonly id: string;
  /** The conversation that the client proposed, if it has already ended; else null. */
  readonly past: PastConversation | null;
  /** Code of the language of most of the conversation's speech; undefined before speech in a known language. */
  readonly language: string | undefined;
  /** Position in ms on the device's clock from which the device has to send; undefined if the device uses no clock. */
  readonly resumeAt: number | undefined;
}

export interface ConversationOptions {
  readonly language: string;
  /** Seconds of silence that end the conversation. */
  readonly timeout: number;
  readonly clientPlatform: string | null;
  readonly usesCustomStt: boolean;
  /** Whether voices are compared with the voices of the user and of known people. */
  readonly recognisesVoices: boolean;
  /** Whether a recognised person is assigned to the segments; else the person is only suggested. */
  readonly assignsVoices: boolean;
  /** Whether the sample rate of the audio is 8 kHz or less, as in telephony. */
  readonly narrowband: boolean;
}

/** Highest sample rate (Hz) that counts as telephone bandwidth. */
const narrowbandRate = 8000;

/** Returns the options of a conversation, taken from the request that opens the stream. */
export const conversationOptionsOf = (request: OpenRequest): ConversationOptions => {
  const { language, conversationTimeout: timeout, clientPlatform, customStt: usesCustomStt } = request;
  const { includeSpeechProfile: recognisesVoices, assignSpeakers: assignsVoices = false } = request;
  const narrowband = request.format.sampleRate <= narrowbandRate;
  return { language, timeout, clientPlatform, usesCustomStt, recognisesVoices, assignsVoices, narrowband };
};
