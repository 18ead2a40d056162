import type { SpeechModel } from '../../models/manifest/index.js';
import { isCaption } from './caption-phrases.js';
import { isRepetition } from './second-try.js';

/** A text with the probabilities that the model and the detector computed for its audio. */
export interface JudgedText {
  readonly text: string;
  /** Probability of no speech. */
  readonly silence: number;
  /** Mean log probability of the tokens and of the end; undefined for a text without tokens. */
  readonly likelihood: number | undefined;
  /** Mean probability of speech that the detector found in the audio; 0 or absent if unknown. */
  readonly detected?: number;
}

type Rules = SpeechModel['invented'];

/**
 * Whether a text was probably invented, because the audio contains no speech. The gate passes only audio in which the
 * detector finds speech. So this rule judges sounds that the detector mistakes for speech: mixed voices, voice-like
 * music and noise.
 *
 * Only a very high probability of no speech is sufficient by itself. Digits that are read out get probabilities of no
 * speech as high as those of babble. At a doubtful probability, the text is kept if its tokens are probable. This does
 * not apply to closing phrases of captions, because models write them with probable tokens. For these phrases only the
 * probability of no speech counts (`caption`). This probability is lower if a person says such a phrase clearly.
 *
 * Single words have improbable tokens, and so do the texts of cries and short sounds. The detector tells words and
 * sounds apart: its probability of speech is high for nearly all words (`clear`), but for few of the sounds (`faint`).
 * For longer audio the detector cannot decide, because its probability is as high for babble as for one voice.
 *
 * Models also transcribe cries and growls as a repeated word ("No, no.") or repeated letters. People repeat words, too,
 * and a model repeats a single word that is read out. But the tokens of such spoken words are more probable than those
 * of cries.
 */
export const isInvented = (
  { text, silence, likelihood = 0, detected = 0 }: JudgedText,
  rules: Rules,
): boolean => {
  const clear = rules.clear !== null && detected >= rules.clear.detected ? rules.clear : undefined;
  const isWord = !/\s/.test(text.trim()) && text.trim().length <= (clear?.characters ?? 0);
  const { long } = rules;
  const isLong = long !== null && text.trim().length > long.characters;
  const isFaint = rules.faint.some(
    (faint) =>
      detected > 0 && detected < faint.detected && silence > faint.silence && likelihood < faint.likelihood,
  );
  return (
    silence > rules.certain ||
    (likelihood < rules.improbable && silence > (clear?.silence ?? -1)) ||
    (silence > rules.doubtful && likelihood < (isWord ? clear!.likelihood : rules.likelihood)) ||
    (isLong && silence > long.silence && likelihood < long.likelihood) ||
    isFaint ||
    (likelihood < (rules.repeated ?? Number.NEGATIVE_INFINITY) && isRepetition(text)) ||
    (silence > rules.caption && isCaption(text))
  );
};
