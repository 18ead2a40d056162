import type { PastConversation } from '../../journal/index.js';
import type { OpenRequest } from '../../wire/index.js';
import type { Listener } from './completions.js';

/** A socket as its conversation sees it. */
export interface Member extends Listener {
  /** Names the recording in events. */
  readonly stream: string;
  /** An utterance is open. */
  readonly speaking: boolean;
  /** Utterances on their way through a provider. */
  readonly queued: number;
  /** What the next conversation of this key is opened with. */
  readonly conversationOptions: ConversationOptions;
  /** The id that the client proposes for the conversation that it joins; null: none. */
  readonly proposedConversation: string | null;
  /** Segments cannot be stored: the client must not believe that they are. */
  fault(thrown: unknown): void;
}

/** What a socket that joins a conversation is told. */
export interface JoinedConversation {
  readonly id: string;
  /** The conversation that the client proposed, where that one has ended. */
  readonly past: PastConversation | null;
}

export interface ConversationOptions {
  readonly language: string;
  /** Seconds of silence that end the conversation. */
  readonly timeout: number;
  readonly clientPlatform: string | null;
  readonly usesCustomStt: boolean;
  /** Whether voices are compared with those of the user and of known people. */
  readonly recognisesVoices: boolean;
  /** Whether a known person who is recognised is assigned, and not only suggested. */
  readonly assignsVoices: boolean;
  /** Whether its audio has no more than telephone bandwidth. */
  readonly narrowband: boolean;
}

/** Hz: audio of a higher sample rate is compared with known voices as it is. */
const narrowbandRate = 8000;

/** What a stream asks of its conversation. */
export const conversationOptionsOf = (request: OpenRequest): ConversationOptions => {
  const { language, conversationTimeout: timeout, clientPlatform, customStt: usesCustomStt } = request;
  const { includeSpeechProfile: recognisesVoices, assignSpeakers: assignsVoices = false } = request;
  const narrowband = request.format.sampleRate <= narrowbandRate;
  return { language, timeout, clientPlatform, usesCustomStt, recognisesVoices, assignsVoices, narrowband };
};
