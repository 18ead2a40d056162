/**
 * Thresholds for the similarity of voices. Each speaker model has its own values. Durations are in ms. Similarities are
 * cosines.
 */
export interface MatchRule {
  /** Minimum length of the speech. With less speech no decision is made. */
  readonly minimumSpeech: number;
  /**
   * Minimum similarity at which two voices belong to the same person, if at least `speech` ms of speech were compared.
   * Sorted by `speech`.
   */
  readonly thresholds: readonly { readonly speech: number; readonly similarity: number }[];
  /**
   * Minimum similarity for a hint. If the similarity is between this value and the threshold, the decision is a hint.
   */
  readonly hint: number;
  /** Minimum difference in similarity between the most similar person and the next person. */
  readonly lead: number;
  /** Value that is added to every threshold for narrowband audio. */
  readonly narrowband: number;
  /** Minimum ms of a person's speech in one conversation that are needed to learn the person's voice. */
  readonly learnSpeech: number;
}

/**
 * A known voice. A person may have several voices, for example from several conversations. Only the most similar voice
 * counts.
 */
export interface VoiceCandidate {
  readonly person: string;
  readonly similarity: number;
}

/**
 * `match`: `person` speaks. `hint`: `person` may be speaking. A hint may be shown to the user, but has no other
 * effect. `none`: the voice matches no known person, there is too little speech, or two persons are too similar.
 */
export type VoiceDecision =
  | { readonly kind: 'match' | 'hint'; readonly person: string; readonly similarity: number }
  | { readonly kind: 'none' };

/** Tolerance for comparisons, because similarities are computed in single precision. */
const grain = 1e-6;

/**
 * Decides which of the known persons speaks. The result must not be used for authentication.
 * @param speech length in ms of the compared speech.
 * @param narrowband whether the audio was sampled at 8 kHz or less.
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
    // A similarity of NaN fails this comparison and is ignored.
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
