import { setImmediate as nextTurn } from 'node:timers/promises';
import { introductionSearch } from '../../transcript/names/index.js';
import type { LiveSegment } from '../../wire/index.js';
import { events } from '../shared/index.js';
import type { PersonLookup } from '../voices/index.js';

/** Maximum number of suggestions in one conversation. It is limited because each suggestion may add a person. */
const mostSuggestions = 20;

/** Suggests a person when speakers introduce themselves by name. Each name of a speaker is suggested once. */
export class SuggestedNames {
  readonly #done = new Set<string>();
  #count = 0;

  /**
   * Searches stored segments for names by which speakers without a person introduce themselves.
   * @param tell sends a suggestion, after the person was found or added.
   */
  async look(
    segments: readonly LiveSegment[],
    language: string,
    people: PersonLookup,
    tell: (suggestion: string) => void,
  ): Promise<void> {
    for (const segment of segments) {
      if (segment.is_user || segment.person_id !== null || this.#count >= mostSuggestions) continue;
      const name = await nameIn(segment.text, language);
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

/** Searches a text. Each step of the search may take a few ms, and other streams share the thread. */
const nameIn = async (text: string, language: string): Promise<string | null> => {
  const search = introductionSearch(text, language);
  for (;;) {
    await nextTurn();
    const step = search.next();
    if (step.done) return step.value;
  }
};
