import type { SpeechModel } from '../../models/manifest/index.js';
import { isCaption } from './caption-phrases.js';

/** A text, and what the model tells about it. */
export interface JudgedText {
  readonly text: string;
  /** Probability of no speech. */
  readonly silence: number;
  /** Mean log probability of the tokens and of the end; undefined for a text without tokens. */
  readonly likelihood: number | undefined;
  /** Mean probability of speech that the detector found in the audio; 0 or absent if unknown. */
  readonly detected?: number;
}

const isFaint = (
  silence: number,
  likelihood: number,
  detected: number,
  faint: NonNullable<SpeechModel['invented']['faint']>,
): boolean => detected < faint.detected && silence > faint.silence && likelihood < faint.likelihood;

/**
 * Whether a text was probably invented, because the audio contains no speech. The gate passes only audio in which the
 * detector finds speech, so this rule judges what the detector could not: mixed voices, voice-like music and noise.
 *
 * The probability of no speech alone decides only if it is very high, because digits that are read out reach the
 * probabilities of babble. If it is in doubt, the tokens must be probable. Closing phrases of captions need the least
 * doubt, because models write them with a high probability. A person who says them clearly keeps them. The detector's
 * probability counts for doubtful audio only: it is low for many letters and digits that are read out, and high for
 * babble.
 */
export const isInvented = (
  { text, silence, likelihood = 0, detected = 0 }: JudgedText,
  rules: SpeechModel['invented'],
): boolean =>
  silence > rules.certain ||
  likelihood < rules.improbable ||
  (silence > rules.doubtful && likelihood < rules.likelihood) ||
  (detected > 0 && rules.faint !== null && isFaint(silence, likelihood, detected, rules.faint)) ||
  (silence > rules.caption && isCaption(text));
