import { InvalidArgumentError } from 'commander';
import type { LiveSegment } from '../../wire/index.js';

/** The names of speakers, by their numbers. */
export type SpeakerNames = ReadonlyMap<number, string>;

/** Parser of an option that may be given several times: the number of a speaker, and a name or `user`. */
export const speakerNameArgument = (text: string, before: SpeakerNames = new Map()): SpeakerNames => {
  const [, number, name] = /^(\d{1,6})=(.*\S.*)$/s.exec(text) ?? [];
  if (number === undefined || name === undefined)
    throw new InvalidArgumentError('It has to be the number of a speaker and a name, as in 1=Ann.');
  return new Map([...before, [Number(number), name.trim()]]);
};

/** Tells an engine who speakers are, each when something that he or she said has arrived. */
export class NamedSpeakers {
  readonly #left: Map<number, string>;

  constructor(names: SpeakerNames) {
    this.#left = new Map(names);
  }

  /** @returns the messages to be sent, for speakers of whom these are the first segments. */
  segments(segments: readonly Pick<LiveSegment, 'speaker_id'>[]): string[] {
    return segments.flatMap(({ speaker_id }) => {
      const name = this.#left.get(speaker_id);
      if (name === undefined) return [];
      this.#left.delete(speaker_id);
      // No person has the name `new` as an id: a person of that name is found, or added.
      const person_id = name === 'user' ? 'user' : 'new';
      return [
        JSON.stringify({
          type: 'speaker_assigned',
          speaker_id,
          person_id,
          person_name: name,
          segment_ids: [],
        }),
      ];
    });
  }
}
