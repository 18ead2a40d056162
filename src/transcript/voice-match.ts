/** Thresholds for the similarity of voices; part of the speaker model. Durations in ms, similarities are cosines. */
export interface MatchRule {
  /** With less speech no decision is made. */
  readonly minimumSpeech: number;
  /** Least similarity of the same person, for at least `speech` ms of speech; ascending. */
  readonly thresholds: readonly { readonly speech: number; readonly similarity: number }[];
  /** Similarities from here to the threshold give a hint. */
  readonly hint: number;
  /** Least lead of the most similar person over the next one. */
  readonly lead: number;
  /** Added to every threshold for narrowband audio. */
  readonly narrowband: number;
  /** Least speech of a person in one conversation for learning a voice, in ms. */
  readonly learnSpeech: number;
}

/** A known voice. A person may have several, one for each device; the most similar counts. */
export interface VoiceCandidate {
  readonly person: string;
  readonly similarity: number;
}

/**
 * `match`: that person speaks. `hint`: that person may be speaking; it may be shown to the user, but decides nothing.
 * `none`: no known person, too little speech, or two persons too similar to separate.
 */
export type VoiceDecision =
  | { readonly kind: 'match' | 'hint'; readonly person: string; readonly similarity: number }
  | { readonly kind: 'none' };

/** Tolerance for comparisons, because similarities are computed in single precision. */
const grain = 1e-6;

/**
 * Decides which of the known persons speaks. This is not a means of authentication.
 * @param speech ms of speech that were compared
 * @param narrowband the audio was sampled at 8 kHz or less
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
