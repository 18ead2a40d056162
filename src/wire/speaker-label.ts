/** The label of a provider's speaker number, 0-based: `SPEAKER_00`. */
export const speakerLabel = (speaker: number): string => `SPEAKER_${String(speaker).padStart(2, '0')}`;

/** Labels may end in any number of digits, but a speaker's number is stored as an integer. */
const largestSpeaker = 1_000_000;

/** The number at the end of a label; null where there is none or it is too large. */
export const numberIn = (label: string): number | null => {
  const digits = /(\d+)\s*$/.exec(label)?.[1];
  return digits !== undefined && Number(digits) <= largestSpeaker ? Number(digits) : null;
};

/** The number in a speaker label; 0 when there is none or it is too large. */
export const speakerNumber = (label: string): number => numberIn(label) ?? 0;

/** A label of the product's own form, which carries its number. */
const ownLabel = /^SPEAKER_\d+$/i;

/** A speaker as a client gives it: its label, and its number where the client has one. */
export interface LabelledSpeaker {
  readonly label: string;
  readonly number?: number | null | undefined;
}

/**
 * Numbers the speakers of one conversation: distinct labels get distinct numbers. A number that the client gives stays, and counts
 * for its label everywhere. `SPEAKER_03` then gets 3, and so does `Guest 3` where no other label has it. All other labels get the
 * smallest free numbers, in the order given.
 * @returns one number for each speaker given.
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
