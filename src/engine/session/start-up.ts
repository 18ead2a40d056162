import type { PastConversation } from '../../journal/index.js';
import type { JoinedConversation } from '../conversation/index.js';
import { events } from '../shared/index.js';

/** What the start of a stream waits for. All of it is under way. */
export interface StartingStream {
  /** Names the recording in events. */
  readonly stream: string;
  /** Id of the user's last conversation; null when there is none. */
  readonly last: Promise<string | null>;
  /** The conversation that the stream belongs to. */
  readonly joined: Promise<JoinedConversation>;
  /** The record of one of the user's conversations without what is long; null when it cannot be read. */
  readonly recordOf: (id: string) => Promise<Readonly<Record<string, unknown>> | null>;
  /** Name of the provider that serves; null for a client that transcribes itself, undefined when no provider serves. */
  readonly serving: Promise<string | null | undefined>;
}

/**
 * Tells a client how its stream starts, after `initiating` and up to `ready`, in the order that clients rely on.
 * @param say sends an event.
 * @returns whether the stream is ready; else no provider serves it, which was told.
 * @throws what `joined` rejects with.
 */
export const tellStart = async (starting: StartingStream, say: (text: string) => void): Promise<boolean> => {
  const { stream, last, joined, recordOf, serving } = starting;
  const memory = await last;
  if (memory !== null) say(events.lastMemory(memory));
  say(events.serviceStatus('in_progress_conversations_processing'));
  const { id, past } = await joined;
  if (past !== null) for (const text of await tellPast(past, stream, recordOf)) say(text);
  say(events.conversationSession(id, stream));
  say(events.serviceStatus('stt_initiating'));
  const provider = await serving;
  if (provider === undefined) return false;
  say(events.serviceReady(provider));
  return true;
};

/**
 * Events about a conversation that has ended, for a client that proposed its id. One that is being processed is followed by `memory_created`
 * later, as for the sockets that were open when it ended.
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
