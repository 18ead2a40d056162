import {
  type Assignee,
  assignSpeaker,
  assignSpeakers,
  type IncomingSegment,
  type SpeakerAssignments,
} from '../transcript/index.js';
import type { LiveSegment } from '../wire/segment.js';

/** Decisions about speakers kept for one conversation, of each kind. */
const assignmentsKept = 1000;

interface Stored {
  readonly segment: LiveSegment;
  readonly revision: number;
}

/** What a user said about who speaks in one conversation. */
export class AssignedSpeakers {
  readonly #bySegment = new Map<string, Assignee>();
  readonly #bySpeaker = new Map<number, Assignee>();
  /** Segments named since the stored ones were last looked through; null when nothing was said since. */
  #named: Set<string> | null = null;

  /** Something was said that stored segments do not show yet. */
  get changed(): boolean {
    return this.#named !== null;
  }

  /** Segments that the user assigned: they neither absorb others nor are absorbed. */
  get protectedIds(): ReadonlySet<string> {
    return new Set(this.#bySegment.keys());
  }

  /** @param personId `user` is the owner of the account. */
  assign(speakerId: number, personId: string, segmentIds: readonly string[]): void {
    const assignee: Assignee = personId === 'user' ? { kind: 'user' } : { kind: 'person', personId };
    this.#named ??= new Set();
    keep(this.#bySpeaker, speakerId, assignee);
    for (const id of segmentIds) if (keep(this.#bySegment, id, assignee)) this.#named.add(id);
  }

  /** Attributes a new segment. */
  attribute<Segment extends IncomingSegment & LiveSegment>(segment: Segment): LiveSegment {
    return assignSpeaker(segment, this.#assignments);
  }

  /**
   * Attributes stored segments anew. Those that were named change, whichever speaker they had before; the others of the
   * speaker change unless they already have a person.
   * @returns those that changed, with the next revision, and how to take it back when they could not be stored.
   */
  reattribute<Entry extends Stored>(stored: readonly Entry[]): { changed: Entry[]; undo: () => void } {
    const named = this.#named;
    if (named === null) return { changed: [], undo: () => undefined };
    this.#named = null;
    const corrected = stored.flatMap((entry) => {
      const assignee = named.has(entry.segment.id) ? this.#bySegment.get(entry.segment.id) : undefined;
      return assignee === undefined ? [] : correct(entry, assignee);
    });
    const done = new Set(corrected.map(({ segment }) => segment.id));
    const others = stored.filter(({ segment }) => !done.has(segment.id));
    return {
      changed: [...corrected, ...assignSpeakers(others, this.#assignments)],
      undo: () => {
        this.#named = new Set([...named, ...(this.#named ?? [])]);
      },
    };
  }

  get #assignments(): SpeakerAssignments {
    return { bySegment: this.#bySegment, bySpeaker: this.#bySpeaker };
  }
}

const keep = <Key>(map: Map<Key, Assignee>, key: Key, assignee: Assignee): boolean => {
  if (map.size >= assignmentsKept && !map.has(key)) return false;
  map.set(key, assignee);
  return true;
};

const correct = <Entry extends Stored>(entry: Entry, assignee: Assignee): Entry[] => {
  const owner = assignee.kind === 'user';
  const person = assignee.kind === 'person' ? assignee.personId : null;
  if (entry.segment.is_user === owner && entry.segment.person_id === person) return [];
  const segment = { ...entry.segment, is_user: owner, person_id: person };
  return [{ ...entry, segment, revision: entry.revision + 1 }];
};
