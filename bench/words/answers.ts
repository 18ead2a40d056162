import { z } from 'zod';
import type { Answer } from './waits.js';

/** A line of the engine's log about a transcription. `logAnswer` in `src/engine/transcription` writes it. */
const line = z.object({
  msg: z.literal('speech transcribed'),
  stream: z.string(),
  time: z.number(),
  interim: z.boolean(),
  from: z.number(),
  to: z.number(),
  reached: z.number().optional(),
  outcome: z.string(),
  looped: z.boolean(),
  took: z.number(),
  waited: z.number(),
  decoded: z.number(),
  held: z.number(),
});

/** Settings with which the engine logs its transcriptions. */
export const loggedAnswers = { LOG_LEVEL: 'debug', LOG_REPEATS: '0' } as const;

/**
 * Reads the transcriptions of a stream from the engine's log. Lines about anything else are ignored.
 * @param stream id of the stream, as in the event `conversation_session`.
 * @param began wall-clock time (ms) of the stream's first sample.
 */
export const answersOf = (log: string, stream: string, began: number): Answer[] => {
  const answers: Answer[] = [];
  for (const text of log.split('\n')) {
    if (!text.includes('"speech transcribed"')) continue;
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch {
      // The last line may be incomplete, because the engine is still writing it.
      continue;
    }
    const parsed = line.safeParse(content);
    if (!parsed.success || parsed.data.stream !== stream) continue;
    const { time, took, held, interim, from, to, reached, outcome, looped, waited, decoded } = parsed.data;
    const used = time - began;
    const answered = used - held;
    const asked = answered - took;
    answers.push({ interim, from, to, reached, outcome, looped, asked, answered, used, waited, decoded });
  }
  return answers;
};
