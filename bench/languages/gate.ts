import { z } from 'zod';
import type { Answered } from './judge.js';

/**
 * A line of the engine's log about the final text of an utterance. `logAnswer` in `src/engine/transcription` writes it.
 */
const line = z.object({
  msg: z.literal('speech transcribed'),
  stream: z.string(),
  interim: z.literal(false),
  from: z.number(),
  to: z.number(),
  reached: z.number().optional(),
  outcome: z.string(),
  took: z.number(),
  held: z.number(),
});

const answers = ['success', 'expected_silence', 'empty_unexpected'];

/** A line of the sidecar's log about an utterance that was retained. Its times are wall-clock ms. */
const lateLine = z.object({
  msg: z.enum(['retained audio is transcribed', 'retained audio has no words']),
  conversation: z.string().nullable(),
  from: z.number(),
  to: z.number(),
});

const entry = z.union([line, lateLine]);

const added = <Key>(lists: Map<Key, Answered[]>, key: Key, span: Answered): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [span]);
  else list.push(span);
};

/** Reads the utterances with final texts from lines of the server's log. */
export class AnsweredUtterances {
  readonly #byStream = new Map<string, Answered[]>();
  readonly #byConversation = new Map<string | null, Answered[]>();
  /** Number of utterances with final texts of open streams. */
  count = 0;
  /** Number of retained utterances that were transcribed later. */
  lateCount = 0;
  /** Ms from the end of each retained utterance until its text was stored. */
  readonly lags: number[] = [];

  /** Takes one line of the log. Ignores lines about anything else. */
  take(text: string): void {
    const isLate = text.includes('"retained audio ');
    if (!isLate && !(text.includes('"speech transcribed"') && text.includes('"interim":false'))) return;
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch {
      // The last line may be incomplete, because the server is still writing it.
      return;
    }
    const { success, data } = entry.safeParse(content);
    if (!success) return;
    const { from, to } = data;
    if (data.msg !== 'speech transcribed') {
      const hasWords = data.msg === 'retained audio is transcribed';
      this.lateCount++;
      added(this.#byConversation, data.conversation, { from, to, hasWords });
    } else if (answers.includes(data.outcome)) {
      added(this.#byStream, data.stream, { from, to, hasWords: data.reached !== undefined });
      this.count++;
      this.lags.push(data.took + data.held);
    }
  }

  /**
   * Returns the utterances of a stream whose final texts arrived, in order of time. Their times are ms since the first
   * sample.
   */
  of(stream: string): readonly Answered[] {
    return (this.#byStream.get(stream) ?? []).sort((a, b) => a.from - b.from);
  }

  /**
   * Returns the utterances of a conversation that were transcribed later from retained audio. Their times are
   * wall-clock ms.
   */
  lateOf(conversation: string): readonly Answered[] {
    return this.#byConversation.get(conversation) ?? [];
  }
}

/**
 * Returns the number of utterances that begin before the previous one ended. Some of their audio was transcribed twice.
 */
export const answeredTwice = (spans: readonly Answered[]): number =>
  spans.filter((span, index) => index > 0 && span.from < spans[index - 1]!.to).length;
