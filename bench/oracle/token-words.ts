/**
 * Names tokens. A token is made of two numbers: one identifies its wearable, the other its word. The words of each
 * wearable are counted from 0.
 */

const numberBits = 20;
/** The number of a wearable is below `mostWearables`. The number of a word is below `mostWords`. */
export const mostWearables = 2 ** 12;
export const mostWords = 2 ** numberBits;

export interface Spoken {
  readonly wearable: number;
  readonly number: number;
}

/** @throws RangeError if a number is too large. */
export const tokenOf = ({ wearable, number }: Spoken): number => {
  if (wearable >= mostWearables || number >= mostWords) throw new RangeError(`word ${number} of ${wearable}`);
  return wearable * mostWords + number;
};

export const spokenOf = (token: number): Spoken => ({
  wearable: Math.floor(token / mostWords),
  number: token % mostWords,
});

/** Returns the word that stands for a token in a text. It is a sentence, so that segments of two words are not joined. */
export const wordOf = (token: number): string => {
  const { wearable, number } = spokenOf(token);
  return `W${wearable}-${number}.`;
};

/** Returns the tokens whose words are in a text, in order and with repetitions. Case does not count. */
export const tokensIn = (text: string): number[] =>
  [...text.matchAll(/\bw(\d+)-(\d+)\b/gi)].map(([, wearable, number]) =>
    tokenOf({ wearable: Number(wearable), number: Number(number) }),
  );
