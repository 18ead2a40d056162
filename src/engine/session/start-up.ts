import type { PastConversation } from '../../journal/index.js';
import type { JoinedConversation } from '../conversation/index.js';
import { events } from '../shared/index.js';

/** Pending operations that the start of a stream waits for. The caller has already started them. */
export interface StartingStream {
  /** Id of the recording, as used in events. */
  readonly stream: string;
  /** Id of the user's last completed conversation; null if there is none. */
  readonly last: Promise<string | null>;
  /** The conversation that the stream belongs to. */
  readonly joined: Promise<JoinedConversation>;
  /** Reads the record of one of the user's conversations, without its long fields; null if it cannot be read. */
  readonly recordOf: (id: string) => Promise<Readonly<Record<string, unknown>> | null>;
  /**
   * Name of the provider. It is null for a client that transcribes its own audio, and undefined if no provider is
   * available.
   */
  readonly serving: Promise<string | null | undefined>;
}

/**
 * Sends the start-up events that follow `initiating`, up to `ready`, in the order that clients rely on.
 * @param say sends an event.
 * @returns whether the stream is ready. If not, no provider is available, and the client has already received a message
 * about this.
 * @throws the rejection of `joined`.
 */
export const tellStart = async (starting: StartingStream, say: (text: string) => void): Promise<boolean> => {
  const { stream, last, joined, recordOf, serving } = starting;
  const memory = await last;
  if (memory !== null) say(events.lastMemory(memory));
  say(events.serviceStatus('in_progress_conversations_processing'));
  const { id, past, resumeAt } = await joined;
  if (past !== null) for (const text of await tellPast(past, stream, recordOf)) say(text);
  say(events.conversationSession(id, stream, 'in_progress', resumeAt));
  say(events.serviceStatus('stt_initiating'));
  const provider = await serving;
  if (provider === undefined) return false;
  say(events.serviceReady(provider));
  return true;
};

/**
 * Returns the events about an ended conversation, for a client that proposed the id of that conversation. If the
 * conversation is still being processed, `memory_created` follows later, as for sockets that were open when the
 * conversation ended.
 */
const tellPast = async (
  { id, status }: PastConversation,
  stream: string,
  recordOf: StartingStream['recordOf'],
): Promise<string[]> => {
  const told = [events.conversationSession(id, stream, status)];
  if (status === 'failed') told.push(events.processingFailed(id));
  const memory = status === 'completed' ? await recordOf(id) : null;
  if (memory !== null) told.push(events.memoryCreated(memory));
  return told;
};
