/** The label of a provider's speaker number, 0-based: `SPEAKER_00`. */
export const speakerLabel = (speaker: number): string => `SPEAKER_${String(speaker).padStart(2, '0')}`;

/** Labels may end in any number of digits, but a speaker's number is stored as an integer. */
const largestSpeaker = 1_000_000;

/** The number in a speaker label; 0 when there is none or it is too large. */
export const speakerNumber = (label: string): number => {
  const number = Number(/(\d+)\s*$/.exec(label)?.[1] ?? 0);
  return number <= largestSpeaker ? number : 0;
};
