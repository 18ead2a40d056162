import { introducedName } from '../../transcript/names/index.js';
import type { LiveSegment } from '../../wire/index.js';
import { events } from '../shared/index.js';
import type { PersonLookup } from '../voices/index.js';

/** Suggestions in one conversation at most: each may add a person. */
const mostSuggestions = 20;

/** Suggests who speaks where a speaker says a name. Of each segment, and of each name of a speaker, once. */
export class SuggestedNames {
  readonly #done = new Set<string>();
  #count = 0;

  /**
   * Looks through stored segments for names of speakers who are not known yet.
   * @param tell takes a suggestion once the person was found or added.
   */
  async look(
    segments: readonly LiveSegment[],
    language: string,
    people: PersonLookup,
    tell: (suggestion: string) => void,
  ): Promise<void> {
    for (const segment of segments) {
      if (segment.is_user || segment.person_id !== null || this.#count >= mostSuggestions) continue;
      const name = introducedName(segment.text, language);
      if (name === null) continue;
      const key = JSON.stringify([segment.speaker_id, name.toLowerCase()]);
      if (this.#done.has(key)) continue;
      this.#done.add(key);
      this.#count++;
      const found = await people.find({ id: '', name });
      if ('personId' in found) tell(events.speakerSuggestion(segment, { id: found.personId, name }));
    }
  }
}
