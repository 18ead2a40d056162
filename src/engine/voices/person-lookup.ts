import type { GivenPerson, Journal } from '../../journal/index.js';
import { personBounds } from '../../wire/records/index.js';
import type { ClientMessage, EngineClock, MessageRefusal } from '../shared/index.js';

/** Maximum number of people cached for one conversation. Assigning a cached person again needs no query. */
const peopleKept = 1000;
/** Time in ms for which a person is cached. It is short because the person may be deleted meanwhile. */
const keptFor = 60_000;

/** The id of the owner of an account, as clients spell it. */
export const ownerId = 'user';

/** A client's assignment of a speaker to a person. */
export type Assignment = Omit<Extract<ClientMessage, { type: 'speaker_assigned' }>, 'type'>;
export type Refuse = (refusal: Pick<MessageRefusal, 'reason' | 'limit'>) => void;

export type FoundPerson =
  | { readonly personId: string }
  | { readonly refusal: Pick<MessageRefusal, 'reason' | 'limit'> };

/** Finds or adds the people that clients of one conversation assign to speakers. */
export class PersonLookup {
  readonly #found = new Map<string, { readonly id: string; readonly at: number }>();

  constructor(
    private readonly journal: Pick<Journal, 'person'>,
    private readonly uid: string,
    private readonly clock: Pick<EngineClock, 'monotonic'>,
  ) {}

  /** Whether the user has this person now. It is also true while the database is not reachable. */
  async knows(id: string): Promise<boolean> {
    return (await this.journal.person(this.uid, { id, name: '' }))?.kind !== 'unknown';
  }

  /** Finds or adds a person. @returns the id of the stored person, or a refusal. The id `user` is always the owner. */
  async find(given: GivenPerson): Promise<FoundPerson> {
    if (given.id === ownerId) return { personId: ownerId };
    const key = JSON.stringify([given.id, given.name]);
    const now = this.clock.monotonic();
    const before = this.#found.get(key);
    if (before !== undefined && now - before.at < keptFor) return { personId: before.id };
    this.#found.delete(key);
    const person = await this.journal.person(this.uid, given);
    switch (person?.kind) {
      case 'person':
        if (this.#found.size < peopleKept) this.#found.set(key, { id: person.id, at: now });
        return { personId: person.id };
      case 'unknown':
        return { refusal: { reason: 'person_unknown' } };
      case 'full':
        return { refusal: { reason: 'too_many_people', limit: personBounds.people } };
      default:
        // The database is not reachable, so the person cannot be looked up.
        return { refusal: { reason: 'try_again' } };
    }
  }
}
