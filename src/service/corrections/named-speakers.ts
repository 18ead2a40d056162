import { randomUUID } from 'node:crypto';
import { storableName, storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { transcriptCorrected } from '../../store/conversations/index.js';
import {
  countOfSpeaker,
  type NamedBefore,
  nameSpeaker,
  restoreSpeakers,
  type SpeakerOf,
  silentPeople,
} from '../../store/corrections/index.js';
import { personNamed, personRows, removeUnusedPerson, unlearnVoice } from '../../store/records/index.js';
import { personBounds } from '../../wire/records/index.js';
import { requiredText } from '../rules/index.js';
import { correctConversation } from './locked-conversation.js';

/** Who a speaker is: the user, one of the user's people by id, a person by name, or null for an unknown person. */
export type GivenPerson = 'me' | { readonly id: string } | { readonly name: string } | null;

/** A request to name a speaker of a conversation. */
export interface NamedSpeaker {
  /** Number of the speaker in the conversation. */
  readonly speakerId: number;
  readonly person: GivenPerson;
  /**
   * Ids of the segments to change. null: all segments of the speaker, except those that an earlier request with ids
   * named.
   */
  readonly segmentIds: readonly string[] | null;
}

/** Segments whose state was equal before the change. The state consists of the speaker, `by_user` and `named_alone`. */
export interface UndoGroup extends SpeakerOf {
  readonly by_user: boolean;
  readonly named_alone: boolean;
  /** Revisions after the change, by the ids of the segments. */
  readonly segments: Readonly<Record<string, number>>;
}

export interface NamedResult {
  /** Number of segments whose speaker has changed. */
  readonly changed: number;
  readonly is_user: boolean;
  readonly person_id: string | null;
  /** The person that the naming added; null for none. */
  readonly added_person_id: string | null;
  /** The data with which `undoNaming` restores the segments. */
  readonly undo: readonly UndoGroup[];
}

/** Maximum number of segments that one request names or restores. A conversation of a stream has fewer segments. */
export const namedBounds = { segments: 10_000 } as const;

/** A speaker, and whether this request added the speaker to the user's people. */
interface ResolvedSpeaker extends SpeakerOf {
  readonly isNew?: boolean;
}

const speakerOf = async (sql: TransactionSql, uid: string, person: GivenPerson): Promise<ResolvedSpeaker> => {
  if (person === null) return { is_user: false, person_id: null };
  if (person === 'me') return { is_user: true, person_id: null };
  if ('id' in person) {
    const [known] = await personRows.byIds(sql as unknown as Sql, uid, [person.id]);
    if (!known) throw new CochleaError('record_not_found', { kind: 'Person' });
    return { is_user: false, person_id: known.id };
  }
  const name = requiredText('name', person.name, personBounds.name);
  const found = await personNamed(sql, uid, { id: randomUUID(), name });
  if (found.kind !== 'person')
    throw new CochleaError('records_full', { kind: 'people', limit: personBounds.people });
  return { is_user: false, person_id: found.id, isNew: found.isNew };
};

const groupsOf = (before: readonly NamedBefore[]): UndoGroup[] => {
  const groups = new Map<string, Omit<UndoGroup, 'segments'> & { readonly entries: [string, number][] }>();
  for (const { id, revision, is_user, person_id, by_user, named_alone } of before) {
    const state = { is_user, person_id, by_user, named_alone };
    const key = JSON.stringify(state);
    const group = groups.get(key) ?? { ...state, entries: [] };
    groups.set(key, group);
    group.entries.push([id, revision]);
  }
  return [...groups.values()].map(({ entries, ...state }) => ({
    ...state,
    segments: Object.fromEntries(entries),
  }));
};

/**
 * Names a speaker of a completed conversation. Automatic writes keep the name. If a person no longer speaks in the
 * conversation, the voice that was learned for this person from this conversation is removed. Naming a speaker during a
 * stream also removes this voice. No new voice is learned, because the database has no voices of an ended conversation.
 * @throws CochleaError `validation_failed`, `conversation_not_found`, `locked`, `conversation_unfinished`,
 * `record_not_found` for the person or a segment, `records_full`
 */
export const nameSpeakerOf = (
  sql: Sql,
  uid: string,
  given: string,
  { speakerId, person, segmentIds }: NamedSpeaker,
): Promise<NamedResult> =>
  correctConversation(sql, uid, given, async (transaction, id) => {
    const wanted = segmentIds === null ? null : [...new Set(segmentIds.map(storableText))];
    const count = await countOfSpeaker(transaction, id, speakerId, wanted);
    if (count === 0 || (wanted !== null && count < wanted.length))
      throw new CochleaError('record_not_found', { kind: 'Segment' });
    const { isNew = false, ...speaker } = await speakerOf(transaction, uid, person);
    const before = await nameSpeaker(transaction, id, speakerId, speaker, wanted);
    const changed = before.filter(
      ({ is_user, person_id }) => is_user !== speaker.is_user || person_id !== speaker.person_id,
    );
    const earlier = new Set(changed.flatMap(({ person_id }) => person_id ?? []));
    for (const personId of await silentPeople(transaction, id, [...earlier]))
      await unlearnVoice(transaction as unknown as Sql, { uid, personId, conversationId: id });
    if (changed.length > 0) await transcriptCorrected(transaction, uid, id);
    return {
      changed: changed.length,
      ...speaker,
      added_person_id: isNew ? speaker.person_id : null,
      undo: groupsOf(before),
    };
  });

/** Checks that a user has all people of these groups. @throws CochleaError `record_not_found` */
const checkPeople = async (sql: TransactionSql, uid: string, groups: readonly UndoGroup[]): Promise<void> => {
  const ids = [...new Set(groups.flatMap(({ person_id }) => person_id ?? []))];
  const known = new Set((await personRows.byIds(sql, uid, ids)).map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) throw new CochleaError('record_not_found', { kind: 'Person' });
};

/** The result of undoing a naming. */
export interface UndoneNaming {
  /** Number of restored segments. */
  readonly restored: number;
  /** Whether the person that the naming had added is removed. */
  readonly person_removed: boolean;
}

/**
 * Undoes `nameSpeakerOf`: each segment has its earlier speaker again. The person that the naming added is removed if
 * nothing else uses this person (`removeUnusedPerson`).
 * @param added the person that the naming added; null for none.
 * @throws CochleaError `conversation_not_found`, `locked`, `conversation_unfinished`; `record_not_found` if the user
 *   does not have an earlier person any more; `segment_changed` if a segment has changed since. After an error nothing
 *   is restored.
 */
export const undoNaming = (
  sql: Sql,
  uid: string,
  given: string,
  groups: readonly UndoGroup[],
  added: string | null = null,
): Promise<UndoneNaming> =>
  correctConversation(sql, uid, given, async (transaction, id) => {
    await checkPeople(transaction, uid, groups);
    const before = groups.flatMap(({ segments, ...state }) =>
      Object.entries(segments).map(([segmentId, revision]) => ({
        ...state,
        id: storableText(segmentId),
        person_id: storableName(state.person_id),
        revision,
      })),
    );
    const restored = await restoreSpeakers(transaction, id, before);
    if (restored < before.length) throw new CochleaError('segment_changed');
    if (restored > 0) await transcriptCorrected(transaction, uid, id);
    const person_removed = added !== null && (await removeUnusedPerson(transaction, uid, added));
    return { restored, person_removed };
  });
