/**
 * Tokens of texts decoded from earlier parts of the same speech. Most further tokens occur in one of these texts.
 * Verifying several tokens costs the model hardly more than choosing one.
 */
export type EarlierTexts = readonly (readonly number[])[];

/** Most tokens guessed at once: each wrong guess costs about a tenth of a step. */
const mostGuessed = 10;

/**
 * Guesses the next tokens of a text. Takes the tokens that follow the text's last two tokens in the first earlier text
 * that contains them. For an empty text, takes the beginning of the first earlier text.
 * @returns empty when nothing matches.
 */
export const probableTokens = (text: readonly number[], earlier: EarlierTexts): readonly number[] => {
  const last = text.at(-1);
  if (last === undefined) return earlier[0]?.slice(0, mostGuessed) ?? [];
  const before = text.at(-2);
  for (const other of earlier)
    for (let place = other.indexOf(last); place >= 0; place = other.indexOf(last, place + 1))
      if (before === undefined || other[place - 1] === before)
        return other.slice(place + 1, place + 1 + mostGuessed);
  return [];
};
