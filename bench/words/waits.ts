import { percentile } from '../../src/app/wearable/lag.js';
import type { ShownWord } from './shown-words.js';

/** A transcription of a reader's speech, as the engine logged it. Times are ms since the first sample. */
export interface Answer {
  /** Whether the words are provisional. If not, they are the final words of an utterance. */
  readonly interim: boolean;
  /** Start of the transcribed audio. */
  readonly from: number;
  /** End of the transcribed audio. */
  readonly to: number;
  /** End of the last recognised word; undefined if there are no words or no times. */
  readonly reached: number | undefined;
  readonly outcome: string;
  /** Whether the text repeated itself. Such a text is not shown. */
  readonly looped: boolean;
  /** Time of the request. For final words it is the time at which the gate ended the utterance. */
  readonly asked: number;
  readonly answered: number;
  /** Time at which the words were shown. Final words wait for the final words of earlier utterances. */
  readonly used: number;
  /** Ms that the request waited in the queue. */
  readonly waited: number;
  /** Ms that the decoding took. */
  readonly decoded: number;
}

/** The causes for which a word can wait. Each cause has a line in the table, with this text. */
export const waits = {
  request: 'the next request, after a step of speech or at a pause',
  missing: 'another text: the text was empty or ended before the word',
  looped: 'another text: the text repeated itself',
  replaced: 'another request: a newer one replaced it in the queue',
  agreement: 'a second text, or audio after the word',
  later: 'a later provisional text: earlier texts had other words here',
  final: 'the final text: provisional texts had other words here',
  queue: 'its turn in the queue',
  decoding: 'the decoding',
  order: 'the final words of an earlier utterance',
  delivery: 'storing and sending',
} as const;
export type Wait = keyof typeof waits;

export interface WordWait {
  /**
   * For each cause, the ms that the word waited for it until its final form was shown. Their sum is the lag of the
   * word.
   */
  readonly parts: ReadonlyMap<Wait, number>;
  /** The cause for which the word waited longest. */
  readonly cause: Wait;
  /** Ms that the word waited for this cause. */
  readonly longest: number;
  /** Ms from the end of the word until its final form was shown. */
  readonly lag: number;
  /**
   * Ms of speech in the word's utterance, including the audio around it; undefined if the utterance has no final words.
   */
  readonly utterance: number | undefined;
}

/** Returns why an answer did not show a word, although its audio contained the word. */
const reasonOf = ({ outcome, looped, reached }: Answer, end: number): Wait => {
  if (looped) return 'looped';
  if (outcome === 'upstream_error') return 'replaced';
  return outcome !== 'success' || (reached !== undefined && reached < end - nearby) ? 'missing' : 'agreement';
};

/** Maximum ms between the ends of a word in two alignments. */
const nearby = 300;

/**
 * Divides the lag of a word among its causes. The answer that showed the word is the last one whose audio contains the
 * word and that arrived before the word was shown.
 * @param answers of the reader's stream, in any order.
 */
export const waitOf = ({ end, since, covered }: ShownWord, answers: readonly Answer[]): WordWait => {
  const containing = answers.filter(({ from, to }) => from < end && end - nearby < to);
  const final = containing.find(({ interim }) => !interim);
  const used = containing.filter((answer) => answer.used <= since).sort((a, b) => a.used - b.used);
  const shower = used.at(-1);
  /** From each of these times on, the word waits for the cause, until the next time in the list. */
  const marks: { at: number; cause: Wait }[] = [{ at: end, cause: 'request' }];
  const began = shower === undefined ? since : shower.answered - shower.decoded - shower.waited;
  for (const answer of containing)
    if (answer !== shower && answer.asked < began && answer.asked < covered)
      marks.push({ at: answer.asked, cause: reasonOf(answer, end) });
  if (covered < began) marks.push({ at: covered, cause: shower?.interim === true ? 'later' : 'final' });
  marks.sort((a, b) => a.at - b.at);
  if (shower !== undefined)
    marks.push(
      { at: began, cause: 'queue' },
      { at: shower.answered - shower.decoded, cause: 'decoding' },
      { at: shower.answered, cause: 'order' },
      { at: shower.used, cause: 'delivery' },
    );
  const parts = new Map<Wait, number>();
  for (const [index, { at, cause }] of marks.entries()) {
    const from = Math.max(end, at);
    const until = Math.min(since, Math.max(end, marks[index + 1]?.at ?? since));
    if (until > from) parts.set(cause, (parts.get(cause) ?? 0) + until - from);
  }
  const [cause, longest] = [...parts].reduce(
    (most, part) => (part[1] > most[1] ? part : most),
    ['delivery' as Wait, 0],
  );
  const utterance = final === undefined ? undefined : final.to - final.from;
  return { parts, cause, longest, lag: since - end, utterance };
};

/** Slow words that waited longest for the same cause. */
export interface LateWords {
  readonly cause: Wait;
  readonly words: number;
  /** Median of the ms that these words waited for the cause. */
  readonly medianWait: number;
  /** Maximum of the ms that these words waited for the cause. */
  readonly maxWait: number;
  /** Median lag of these words in ms. */
  readonly medianLag: number;
  /** Median length of their utterances in ms; undefined if none has final words. */
  readonly medianUtterance: number | undefined;
}

/**
 * Groups the slowest words by the cause of their longest wait. The cause with the most words comes first.
 * @param share percentage of all words that counts as the slowest. At least one word counts.
 */
export const lateWords = (words: readonly WordWait[], share: number): LateWords[] => {
  const slowest = [...words].sort((a, b) => b.lag - a.lag).slice(0, Math.ceil((words.length * share) / 100));
  const causes = [...new Set(slowest.map(({ cause }) => cause))];
  const groups = causes.map((cause): LateWords => {
    const those = slowest.filter((word) => word.cause === cause);
    const longest = those.map((word) => word.longest);
    const medianOf = (values: readonly (number | undefined)[]): number | undefined => percentile(values, 50);
    return {
      cause,
      words: those.length,
      medianWait: medianOf(longest)!,
      maxWait: Math.max(...longest),
      medianLag: medianOf(those.map(({ lag }) => lag))!,
      medianUtterance: medianOf(those.map(({ utterance }) => utterance)),
    };
  });
  return groups.sort((a, b) => b.words - a.words);
};
