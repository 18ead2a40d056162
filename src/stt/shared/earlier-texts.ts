/**
 * Tokens of texts that were made of earlier parts of the same speech. Most of what follows has been said before in one of them, and to verify
 * several tokens costs the model hardly more than to choose one.
 */
export type EarlierTexts = readonly (readonly number[])[];

/** Most tokens that are guessed at once: each wrong one costs about a tenth of a step. */
const mostGuessed = 10;

/**
 * What probably follows the tokens of a text: in the first of the earlier ones that has its last two tokens one after the other, what it has behind
 * them; for a text that has not begun, the beginning of the first one.
 * @returns none where nothing is known.
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
