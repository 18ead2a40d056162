import { InvalidArgumentError } from 'commander';
import type { LiveSegment } from '../../wire/index.js';

/** Speaker names by speaker number. */
export type SpeakerNames = ReadonlyMap<number, string>;

/** Parses a repeatable option with a speaker number and a name or `user`, such as `1=Ada`. */
export const speakerNameArgument = (text: string, before: SpeakerNames = new Map()): SpeakerNames => {
  const [, number, name] = /^(\d{1,6})=(.*\S.*)$/s.exec(text) ?? [];
  if (number === undefined || name === undefined)
    throw new InvalidArgumentError('It has to be the number of a speaker and a name, as in 1=Ann.');
  return new Map([...before, [Number(number), name.trim()]]);
};

/**
 * Creates messages that give an engine the names of speakers. The message for a speaker is sent after the speaker's
 * first segment.
 */
export class NamedSpeakers {
  readonly #left: Map<number, string>;

  constructor(names: SpeakerNames) {
    this.#left = new Map(names);
  }

  /** Returns the messages for speakers whose first segment is among `segments`. */
  segments(segments: readonly Pick<LiveSegment, 'speaker_id'>[]): string[] {
    return segments.flatMap(({ speaker_id }) => {
      const name = this.#left.get(speaker_id);
      if (name === undefined) return [];
      this.#left.delete(speaker_id);
      // The id `new` belongs to no person. The engine then finds or adds the person by name.
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
