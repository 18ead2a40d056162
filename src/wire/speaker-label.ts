/** Returns the label of a provider's speaker number, for example `SPEAKER_00`. Numbers count from 0. */
export const speakerLabel = (speaker: number): string => `SPEAKER_${String(speaker).padStart(2, '0')}`;

/**
 * Maximum speaker number in a label. A label may end with any number of digits, but the database stores speaker numbers
 * as integers.
 */
const largestSpeaker = 1_000_000;

/** Returns the number at the end of a label; null if the number is missing or too large. */
export const numberIn = (label: string): number | null => {
  const digits = /(\d+)\s*$/.exec(label)?.[1];
  return digits !== undefined && Number(digits) <= largestSpeaker ? Number(digits) : null;
};

/** Returns the number of a speaker label; 0 if the number is missing or too large. */
export const speakerNumber = (label: string): number => numberIn(label) ?? 0;

/** Pattern of the labels that `speakerLabel` makes. The label ends with the speaker's number. */
const ownLabel = /^SPEAKER_\d+$/i;

/** A speaker in the words of a client: the label, and the speaker's number if the client sends a number. */
export interface LabelledSpeaker {
  readonly label: string;
  readonly number?: number | null | undefined;
}

/**
 * Assigns numbers to the speakers of one conversation. Distinct labels get distinct numbers.
 *
 * Numbers are assigned in this order:
 * 1. A number from the client is kept, and applies to all speakers with the same label.
 * 2. A label such as `SPEAKER_03` gets its own number 3, if this number is free.
 * 3. A label such as `Guest 3` gets its own number 3, if this number is free.
 * 4. All other labels get the smallest free numbers, in their order.
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
