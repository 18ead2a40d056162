import type { Sql, TransactionSql } from '../client/index.js';

/** Reads the speakers of conversations in progress, for the streams that continue them. */

/** The user or the person to whom a conversation's speaker was last attributed. */
export interface SpeakerName {
  readonly speakerId: number;
  readonly isUser: boolean;
  readonly personId: string | null;
}

/**
 * Reads for each speaker of the conversations the user or the person of the speaker's last attributed segment.
 * @returns the names by conversation id.
 */
export const speakerNames = async (
  sql: Sql | TransactionSql,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SpeakerName[]>> => {
  if (conversationIds.length === 0) return new Map();
  const rows = await sql<{ id: string; speaker_id: number; is_user: boolean; person_id: string | null }[]>`
    select asked.id, name.* from unnest(${conversationIds as string[]}::uuid[]) as asked(id) cross join lateral (
      select distinct on (speaker_id) speaker_id, is_user, person_id from segments
      where conversation_id = asked.id and not deleted and (is_user or person_id is not null)
      order by speaker_id, position desc limit 100) as name
    order by asked.id, name.speaker_id`;
  return byConversation(rows, (row) => ({
    speakerId: row.speaker_id,
    isUser: row.is_user,
    personId: row.person_id,
  }));
};

/** The label of a conversation's speaker, and the speaker's number. */
export interface SpeakerLabel {
  readonly label: string;
  readonly number: number;
}

/** Maximum number of labels read from a conversation. */
const mostLabels = 1000;

/** Reads the labels and numbers of speakers. @returns the labels by conversation id. */
export const speakerLabels = async (
  sql: Sql | TransactionSql,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SpeakerLabel[]>> => {
  if (conversationIds.length === 0) return new Map();
  const rows = await sql<(SpeakerLabel & { id: string })[]>`
    select asked.id, label.* from unnest(${conversationIds as string[]}::uuid[]) as asked(id) cross join lateral (
      select distinct on (speaker) speaker as label, speaker_id as number from segments
      where conversation_id = asked.id and not deleted order by speaker, position limit ${mostLabels}) as label
    order by asked.id, label.label`;
  return byConversation(rows, ({ label, number }) => ({ label, number }));
};

/** Groups rows by the id of their conversation. */
const byConversation = <Row extends { readonly id: string }, Value>(
  rows: readonly Row[],
  toValue: (row: Row) => Value,
): ReadonlyMap<string, readonly Value[]> => {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const group = groups.get(row.id) ?? [];
    group.push(toValue(row));
    groups.set(row.id, group);
  }
  return groups;
};
