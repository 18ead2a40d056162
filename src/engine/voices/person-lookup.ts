import type { GivenPerson, Journal } from '../../journal/index.js';
import { personBounds } from '../../wire/records/index.js';
import type { ClientMessage, EngineClock, MessageRefusal } from '../shared/index.js';

/** People remembered for one conversation, so that naming the same person again asks the database nothing. */
const peopleKept = 1000;
/** Ms for which they are: a person may be deleted meanwhile. */
const keptFor = 60_000;

/** The id of the owner of an account, as clients spell it. */
export const ownerId = 'user';

/** What a client said about who speaks. */
export type Assignment = Omit<Extract<ClientMessage, { type: 'speaker_assigned' }>, 'type'>;
export type Refuse = (refusal: Pick<MessageRefusal, 'reason' | 'limit'>) => void;

export type FoundPerson =
  | { readonly personId: string }
  | { readonly refusal: Pick<MessageRefusal, 'reason' | 'limit'> };

/** Finds or adds the people whom the clients of one conversation name. */
export class PersonLookup {
  readonly #journal: Pick<Journal, 'person'>;
  readonly #uid: string;
  readonly #clock: Pick<EngineClock, 'monotonic'>;
  readonly #found = new Map<string, { readonly id: string; readonly at: number }>();

  constructor(journal: Pick<Journal, 'person'>, uid: string, clock: Pick<EngineClock, 'monotonic'>) {
    this.#journal = journal;
    this.#uid = uid;
    this.#clock = clock;
  }

  /** Whether this is one of the user's people now, as far as the database can be asked. */
  async knows(id: string): Promise<boolean> {
    return (await this.#journal.person(this.#uid, { id, name: '' }))?.kind !== 'unknown';
  }

  /** @returns the id under which the person is stored; `user` is always the owner. */
  async find(given: GivenPerson): Promise<FoundPerson> {
    if (given.id === ownerId) return { personId: ownerId };
    const key = JSON.stringify([given.id, given.name]);
    const now = this.#clock.monotonic();
    const before = this.#found.get(key);
    if (before !== undefined && now - before.at < keptFor) return { personId: before.id };
    this.#found.delete(key);
    const person = await this.#journal.person(this.#uid, given);
    switch (person?.kind) {
      case 'person':
        if (this.#found.size < peopleKept) this.#found.set(key, { id: person.id, at: now });
        return { personId: person.id };
      case 'unknown':
        return { refusal: { reason: 'person_unknown' } };
      case 'full':
        return { refusal: { reason: 'too_many_people', limit: personBounds.people } };
      default:
        // The database is away: whether there is such a person cannot be told.
        return { refusal: { reason: 'try_again' } };
    }
  }
}
