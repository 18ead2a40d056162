import { CommandFailure } from '../terminal/index.js';

/** An event of a chat answer: its name and value. */
export interface ChatEvent {
  readonly name: string;
  readonly value: string;
}

/** Maximum number of characters in a complete answer. The service's own limit is much smaller. */
const longestAnswer = 1_048_576;
const end = '\n\n';

/**
 * Reads the events of an answer as they arrive.
 * @throws CommandFailure `unavailable` for an answer that is too large or ends within an event.
 */
export async function* chatEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ChatEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  let length = 0;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    length += text.length;
    if (length > longestAnswer) throw new CommandFailure('unavailable', 'The answer is too long.');
    const events = (rest + text).split(end);
    rest = events.pop()!;
    for (const event of events) {
      const colon = event.indexOf(': ');
      if (colon > 0) yield { name: event.slice(0, colon), value: event.slice(colon + 2) };
    }
  }
  if (rest !== '') throw brokenOff();
}

export const brokenOff = (): CommandFailure =>
  new CommandFailure('unavailable', 'The answer is incomplete. Send the message again.');
