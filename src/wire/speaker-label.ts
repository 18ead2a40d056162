/** Returns the label of a provider's speaker number, which counts from 0: `SPEAKER_00`. */
export const speakerLabel = (speaker: number): string => `SPEAKER_${String(speaker).padStart(2, '0')}`;

/**
 * Largest speaker number read from a label. Labels may end with any number of digits, but speaker numbers are stored as
 * integers.
 */
const largestSpeaker = 1_000_000;

/** Returns the number at the end of a label; null if the number is missing or too large. */
export const numberIn = (label: string): number | null => {
  const digits = /(\d+)\s*$/.exec(label)?.[1];
  return digits !== undefined && Number(digits) <= largestSpeaker ? Number(digits) : null;
};

/** Returns the number of a speaker label; 0 if the number is missing or too large. */
export const speakerNumber = (label: string): number => numberIn(label) ?? 0;

/** Pattern of the labels that `speakerLabel` makes, which contain the number. */
const ownLabel = /^SPEAKER_\d+$/i;

/** A speaker from a client: the label, and the number if the client gives one. */
export interface LabelledSpeaker {
  readonly label: string;
  readonly number?: number | null | undefined;
}

/**
 * Assigns numbers to the speakers of one conversation. Distinct labels get distinct numbers.
 *
 * A number from the client stays, and applies to all speakers with the same label. Next, `SPEAKER_03` gets 3 if that
 * number is free, and then `Guest 3` likewise. All other labels get the smallest free numbers, in order.
 * @returns one number for each given speaker.
 */
export const numberSpeakers = (speakers: readonly LabelledSpeaker[]): readonly number[] => {
  const numbers = new Map<string, number>();
  const taken = new Set<number>();
  const assign = (label: string, number: number): void => {
    numbers.set(label, number);
    taken.add(number);
  };
  for (const { label, number } of speakers) {
    if (number === null || number === undefined) continue;
    if (!numbers.has(label)) numbers.set(label, number);
    taken.add(number);
  }
  const labels = [...new Set(speakers.map(({ label }) => label))];
  for (const claims of [(label: string) => ownLabel.test(label), () => true]) {
    for (const label of labels) {
      const wanted = numberIn(label);
      if (wanted !== null && !numbers.has(label) && !taken.has(wanted) && claims(label))
        assign(label, wanted);
    }
  }
  let free = 0;
  for (const label of labels) {
    if (numbers.has(label)) continue;
    while (taken.has(free)) free++;
    assign(label, free);
  }
  return speakers.map(({ label, number }) => number ?? numbers.get(label)!);
};
