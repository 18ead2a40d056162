/** How the similarity of voices is judged; it comes with the speaker model. Durations in ms, similarities are cosines. */
export interface MatchRule {
  /** Speech below which nothing is decided. */
  readonly minimumSpeech: number;
  /** Least similarity of the same person, from `speech` on; ascending. */
  readonly thresholds: readonly { readonly speech: number; readonly similarity: number }[];
  /** From here to the threshold it is a hint. */
  readonly hint: number;
  /** Least lead over the next person. */
  readonly lead: number;
  /** Added to every threshold for narrowband audio. */
  readonly narrowband: number;
}

/** A known voice. A person may have several, one per device; the most similar counts. */
export interface VoiceCandidate {
  readonly person: string;
  readonly similarity: number;
}

/**
 * `match`: that person speaks. `hint`: perhaps; to be offered, never to be acted on. `none`: nobody known, too little
 * speech, or two people too close to tell apart.
 */
export type VoiceDecision =
  | { readonly kind: 'match' | 'hint'; readonly person: string; readonly similarity: number }
  | { readonly kind: 'none' };

/** Similarities come in single precision: an exact lead must not be lost to its last bit. */
const grain = 1e-6;

/**
 * Who of the known people speaks. Not a means of authentication.
 * @param speech ms of speech that were compared
 * @param narrowband the audio was sampled at 8 kHz
 */
export const matchVoice = (
  candidates: readonly VoiceCandidate[],
  speech: number,
  rule: MatchRule,
  narrowband = false,
): VoiceDecision => {
  if (speech < rule.minimumSpeech) return { kind: 'none' };
  const people = new Map<string, number>();
  for (const { person, similarity } of candidates) {
    // A similarity that is no number fails the comparison.
    if (similarity > (people.get(person) ?? Number.NEGATIVE_INFINITY)) people.set(person, similarity);
  }
  const [best, next] = [...people].sort(([, a], [, b]) => b - a);
  if (!best) return { kind: 'none' };
  const [person, similarity] = best;
  if (next && similarity - next[1] < rule.lead - grain) return { kind: 'none' };
  const raise = narrowband ? rule.narrowband : 0;
  const threshold = rule.thresholds.findLast((step) => speech >= step.speech)?.similarity;
  if (threshold !== undefined && similarity >= threshold + raise - grain) {
    return { kind: 'match', person, similarity };
  }
  return similarity >= rule.hint + raise - grain ? { kind: 'hint', person, similarity } : { kind: 'none' };
};
