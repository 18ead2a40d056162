import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { VoiceBounds } from '../../wire/records/index.js';
import { firstRow, lockForUser, type Sql, type TransactionSql } from '../client/index.js';

/**
 * A voice as vectors of a speaker model, one vector for each recording condition. The vectors are normalised to length
 * one.
 */
export interface VoicePrint {
  /** The speaker model that made the vectors. */
  readonly model: string;
  /** Length in ms of the speech that the vectors were made from. */
  readonly speech: number;
  readonly embeddings: readonly Float32Array[];
}

/** A known voice: the account's owner or a known person. */
export interface KnownVoice {
  /** Null for the owner of the account. */
  readonly personId: string | null;
  readonly name: string;
  readonly embeddings: readonly Float32Array[];
}

/** The voices that a user's streams may be compared with. */
export interface KnownVoices {
  /** False when the user has disabled voice recognition; `voices` is then empty. */
  readonly allowed: boolean;
  readonly voices: readonly KnownVoice[];
}

interface VoiceRow {
  readonly person_id: string | null;
  readonly name: string | null;
  readonly embeddings: Buffer;
}

const bytesOf = (embeddings: readonly Float32Array[]): Buffer => {
  const values = embeddings.flatMap((vector) => [...vector]);
  const bytes = Buffer.alloc(values.length * Float32Array.BYTES_PER_ELEMENT);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
};

/**
 * Returns the vectors of a row, as views of a single copy of the row's bytes. A single copy is fast, which matters
 * because a shard reads hundreds of rows on its own thread. The bytes are little-endian, like all supported systems.
 */
const vectorsOf = (bytes: Buffer, dimensions: number): Float32Array[] => {
  const count = Math.floor(bytes.length / (4 * dimensions));
  const values = new Float32Array(new Uint8Array(bytes).buffer, 0, count * dimensions);
  return Array.from({ length: count }, (_, vector) =>
    values.subarray(vector * dimensions, (vector + 1) * dimensions),
  );
};

/**
 * Maximum number of voices that one statement reads. Reading this number occupies a shard's thread for about a
 * millisecond. Other streams can run between two statements.
 */
const readAtOnce = 64;

/**
 * Reads the voices that a user's streams are compared with: the owner's voice and the voices of known people. Uses
 * several statements, because reading up to 3,001 voices with one statement would block the caller's thread. Voices
 * removed between two statements are left out.
 * @param dimensions length of a vector of the model.
 */
export const readKnownVoices = async (
  sql: Sql,
  uid: string,
  { model, dimensions }: { readonly model: string; readonly dimensions: number },
  bounds: VoiceBounds,
): Promise<KnownVoices> => {
  const [user] = await sql<{ voice_recognition: boolean; ids: string | null }[]>`
    select voice_recognition, (
      select string_agg(id::text, ' ' order by person_id is not null, created_at desc) from (
        select id, person_id, created_at from voice_profiles where uid = ${uid} and model = ${model}
        order by person_id is not null, created_at desc limit ${1 + bounds.people * bounds.samples}
      ) v
    ) as ids from users where uid = ${uid}`;
  if (user?.voice_recognition !== true) return { allowed: user === undefined, voices: [] };
  const ids = user.ids?.split(' ') ?? [];
  const voices: KnownVoice[] = [];
  for (let from = 0; from < ids.length; from += readAtOnce) {
    const rows = await sql<VoiceRow[]>`
      select v.person_id, p.name, v.embeddings from voice_profiles v left join people p on p.id = v.person_id
      where v.id = any(${ids.slice(from, from + readAtOnce)}::uuid[])
      order by v.person_id is not null, v.created_at desc`;
    for (const row of rows)
      voices.push({
        personId: row.person_id,
        name: row.name ?? '',
        embeddings: vectorsOf(row.embeddings, dimensions),
      });
  }
  return { allowed: true, voices };
};

/** Serializes transactions that add voices to a user. */
const lockVoices = (sql: TransactionSql, uid: string): Promise<void> => lockForUser(sql, 'voices', uid);

/**
 * Stores the voice of an account's owner and replaces an earlier voice of the owner. Like `learnVoice`, waits while
 * another transaction deletes the account.
 * @returns false when the user does not exist.
 */
export const writeOwnerVoice = async (sql: Sql, uid: string, voice: VoicePrint): Promise<boolean> => {
  const [written] = await sql`
    insert into voice_profiles (id, uid, model, speech_ms, embeddings)
    select ${uuidv7()}, uid, ${voice.model}, ${Math.round(voice.speech)}, ${bytesOf(voice.embeddings)}
    from users where uid = ${uid} for key share
    on conflict (uid) where person_id is null do update set id = excluded.id, model = excluded.model,
      speech_ms = excluded.speech_ms, embeddings = excluded.embeddings, created_at = now()
    returning 1 as written`;
  return written !== undefined;
};

/** The enrolled voice of an owner, without its vectors. */
export interface OwnerVoiceRow {
  readonly speech_ms: number;
  readonly model: string;
  readonly created_at: Date;
}

export const readOwnerVoice = async (sql: Sql, uid: string): Promise<OwnerVoiceRow | null> => {
  return firstRow(sql<OwnerVoiceRow[]>`
    select speech_ms, model, created_at from voice_profiles where uid = ${uid} and person_id is null`);
};

export const removeOwnerVoice = async (sql: Sql, uid: string): Promise<void> => {
  await sql`delete from voice_profiles where uid = ${uid} and person_id is null`;
};

/** Removes all voice samples of a person. @returns whether the person exists */
export const removePersonVoices = async (sql: Sql, uid: string, personId: string): Promise<boolean> => {
  if (!isUuid(personId)) return false;
  const [known] = await sql`
    with removed as (delete from voice_profiles where uid = ${uid} and person_id = ${personId})
    select 1 as known from people where uid = ${uid} and id = ${personId}`;
  return known !== undefined;
};

/** Identifies a voice learned from a person's speech in a conversation. */
export interface LearnedVoice {
  readonly uid: string;
  readonly personId: string;
  readonly conversationId: string;
}

/**
 * Stores the voice of a person. A person has at most one voice from each conversation, and only the newest voices of
 * each person stay stored. Does nothing when the person does not exist, when voice recognition is disabled, or when the
 * user has voices of too many people.
 * @returns whether the voice was stored.
 */
export const learnVoice = (
  sql: Sql,
  { uid, personId, conversationId }: LearnedVoice,
  voice: VoicePrint,
  bounds: VoiceBounds,
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    await lockVoices(transaction, uid);
    const [written] = await transaction`
      insert into voice_profiles (id, uid, person_id, conversation_id, model, speech_ms, embeddings)
      select ${uuidv7()}, u.uid, p.id, ${conversationId}, ${voice.model}, ${Math.round(voice.speech)},
        ${bytesOf(voice.embeddings)}
      from users u join people p on p.uid = u.uid
      where u.uid = ${uid} and u.voice_recognition and p.id = ${isUuid(personId) ? personId : null}
        and (select count(distinct person_id) from voice_profiles
             where uid = ${uid} and person_id <> p.id) < ${bounds.people}
      for key share of u, p
      on conflict (person_id, conversation_id) do update set model = excluded.model,
        speech_ms = excluded.speech_ms, embeddings = excluded.embeddings, created_at = now()
      returning 1 as written`;
    if (written === undefined) return false;
    await transaction`
      delete from voice_profiles where id in (
        select id from voice_profiles where person_id = ${personId} order by created_at desc, id desc
        offset ${bounds.samples})`;
    return true;
  }) as Promise<boolean>;

/**
 * Removes a person's voice that was learned from a conversation. Called when the speaker turned out to be a different
 * person.
 */
export const unlearnVoice = async (
  sql: Sql,
  { uid, personId, conversationId }: LearnedVoice,
): Promise<void> => {
  if (!isUuid(personId)) return;
  await sql`
    delete from voice_profiles
    where uid = ${uid} and person_id = ${personId} and conversation_id = ${conversationId}`;
};
