import * as events from './server-events.js';

/** What the start of a stream waits for. All of it is under way. */
export interface StartingStream {
  /** Names the recording in events. */
  readonly stream: string;
  /** Id of the user's last conversation; null when there is none. */
  readonly last: Promise<string | null>;
  /** Id of the conversation that the stream belongs to. */
  readonly joined: Promise<string>;
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
  const { stream, last, joined, serving } = starting;
  const memory = await last;
  if (memory !== null) say(events.lastMemory(memory));
  say(events.serviceStatus('in_progress_conversations_processing'));
  say(events.conversationSession(await joined, stream));
  say(events.serviceStatus('stt_initiating'));
  const provider = await serving;
  if (provider === undefined) return false;
  say(events.serviceReady(provider));
  return true;
};
