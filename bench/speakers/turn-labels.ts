import type { LiveSegment } from '../../src/wire/segment.js';
import type { Turn } from './dialogues.js';

/** After so many ms of speech, a speaker's label counts as known and must be right. */
const known = 2000;
/** Ms at each end of a turn that are not scored, because word times are less exact there. */
const edge = 250;

export interface TurnLabels {
  /** Number of turns that have words, and whose speaker had spoken for at least `known` ms before. */
  readonly turns: number;
  /** Number of these turns with the label of another speaker. */
  readonly wrong: number;
}

/**
 * Returns the label of most of a turn's speech; null if the turn has no words. The times of segments count from the
 * first speech.
 */
const labelOf = (turn: Turn, segments: readonly LiveSegment[], origin: number): number | null => {
  const from = (turn.speechStart - origin + edge) / 1000;
  const to = (turn.speechEnd - origin - edge) / 1000;
  const shares = new Map<number, number>();
  for (const { speaker_id, start, end } of segments) {
    const share = Math.min(end, to) - Math.max(start, from);
    if (share > 0) shares.set(speaker_id, (shares.get(speaker_id) ?? 0) + share);
  }
  const [most] = [...shares].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
};

/**
 * Counts the turns of known speakers, and how many of these turns have a wrong label. The right label of a speaker is
 * the most frequent label in the speaker's turns. Two speakers never have the same right label.
 */
export const turnLabels = (turns: readonly Turn[], segments: readonly LiveSegment[]): TurnLabels => {
  const origin = turns[0]?.speechStart ?? 0;
  const labelled = turns.flatMap((turn) => {
    const label = labelOf(turn, segments, origin);
    return label === null ? [] : [{ turn, label }];
  });
  const counts = new Map<string, { speaker: string; label: number; count: number }>();
  for (const { turn, label } of labelled) {
    const key = `${turn.speaker} ${label}`;
    const entry = counts.get(key) ?? { speaker: turn.speaker, label, count: 0 };
    entry.count++;
    counts.set(key, entry);
  }
  const right = new Map<string, number>();
  for (const { speaker, label } of [...counts.values()].sort((one, other) => other.count - one.count)) {
    if (!right.has(speaker) && ![...right.values()].includes(label)) right.set(speaker, label);
  }
  const counted = labelled.filter(({ turn }) => turn.before >= known);
  return {
    turns: counted.length,
    wrong: counted.filter(({ turn, label }) => right.get(turn.speaker) !== label).length,
  };
};
