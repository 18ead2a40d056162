import type { CountedSpeaker, MovedSpeaker } from '../../store/corrections/index.js';
import { numberIn, speakerLabel } from '../../wire/index.js';

/**
 * Returns a key that is equal for the same speaker of two unrelated conversations. Returns null if the speaker cannot
 * be recognised.
 */
const sharedKey = ({ is_user, person_id, label }: CountedSpeaker): string | null => {
  if (is_user) return 'user';
  if (person_id !== null) return `person ${person_id}`;
  return numberIn(label) === null ? `label ${label}` : null;
};

/**
 * Returns new numbers for the speakers of a conversation that is merged into a first conversation. Two speakers are the
 * same if both are the user, are the same person, or have the same label from a client. A speaker who is also in the
 * first conversation gets the number that this speaker has there. Reads each speaker once, because a client can name
 * thousands of speakers.
 * @param known speakers of the first conversation.
 * @param free smallest number that no speaker has.
 */
export const renumbered = (
  known: readonly CountedSpeaker[],
  speakers: readonly CountedSpeaker[],
  free: number,
): MovedSpeaker[] => {
  const shared = new Map<string, CountedSpeaker>();
  for (const speaker of known) {
    const key = sharedKey(speaker);
    if (key !== null && !shared.has(key)) shared.set(key, speaker);
  }
  let next = free;
  return speakers.map((speaker) => {
    const { number: from, label } = speaker;
    const key = sharedKey(speaker);
    const same = key === null ? undefined : shared.get(key);
    if (same) return { from, label, number: same.number, newLabel: same.label };
    const number = next++;
    return { from, label, number, newLabel: numberIn(label) === null ? label : speakerLabel(number) };
  });
};
