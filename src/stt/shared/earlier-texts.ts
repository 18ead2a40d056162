/**
 * Token lists of texts that were decoded from earlier parts of the same speech. They serve as guesses, because most
 * later tokens occur in one of these texts. For the model, checking several tokens takes hardly longer than
 * choosing one.
 */
export type EarlierTexts = readonly (readonly number[])[];

/** Maximum number of tokens that are guessed at once. Each wrong guess costs about a tenth of a decoding step. */
const mostGuessed = 10;

/**
 * Guesses the next tokens of a text. It searches the earlier texts for the text's last two tokens, and returns the
 * tokens after them. For an empty text it returns the beginning of the first earlier text.
 * @returns an empty list if no earlier text matches.
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
