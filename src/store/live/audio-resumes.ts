import { fixedLimits } from '../../config/limits/index.js';
import type { SpilledChange } from '../../wire/spill/index.js';
import type { Sql, TransactionSql } from '../client/index.js';
import { type DeviceClock, readAudioConfirmed } from './audio-confirmed.js';

/**
 * Stores the positions from which devices have sent audio again. If a device sends audio again on a newer stream, words
 * of this audio that the earlier stream has not stored yet must be dropped. Otherwise they would be stored twice.
 *
 * A newer stream notes its position when the device's first audio has arrived. So words are dropped only if the device
 * really has sent their audio again. The newer stream skips words that were stored before it noted its position.
 */

/** The positions from which a device sends audio on a stream. */
export interface AudioResume {
  readonly clock: string;
  readonly stream: number;
  /** Position in ms of each track. */
  readonly positions: readonly number[];
}

/** A device's clock, and the positions from which the device sends audio on a stream. */
export type DeviceResume = DeviceClock & AudioResume;

const lockName = ({ uid, source, deviceId, clock }: DeviceClock): string =>
  JSON.stringify(['audio resumed', uid, source, deviceId, clock]);

/** Returns the values of the columns that identify a clock. */
const columnsOf = ({ uid, source, deviceId, clock }: DeviceClock) => ({
  uid,
  source,
  device: deviceId ?? '',
  clock,
});

/**
 * Gives numbers to new streams. A device sends audio on a stream only after the stream has its number, and only on the
 * newest stream. So the numbers show the order in which the device used the streams.
 * @returns for each stream its number; null for a deleted account. If several streams in `opened` have the same clock,
 *   only the first gets a number. The result for the others is undefined, and the caller must ask for them again.
 */
export const numberAudioStreams = async (
  sql: Sql,
  opened: readonly DeviceClock[],
): Promise<readonly ({ readonly stream: number | null } | undefined)[]> => {
  const clocks = new Map(opened.map((one) => [lockName(one), columnsOf(one)]));
  const rows = await sql<(DeviceClock & { stream: number })[]>`
    insert into audio_clocks as c (uid, source, device_id, clock, streams)
    -- The row of a clock may have been removed before its last position.
    select o.uid, o.source, o.device, o.clock, 1 + coalesce((
      select max(r.stream) from audio_resumes r
      where r.uid = o.uid and r.clock = o.clock and r.source = o.source and r.device_id = o.device), 0)
    from jsonb_to_recordset(${sql.json([...clocks.values()])}) as o(uid text, source text, device text, clock text)
    order by 1, 4, 2, 3
    on conflict (uid, clock, source, device_id) do update
    set streams = greatest(c.streams + 1, excluded.streams), opened_at = now()
    returning uid, source, nullif(device_id, '') as "deviceId", clock, streams as stream`;
  await removeExcessClocks(sql, rows);
  const numbers = new Map(rows.map((row) => [lockName(row), row.stream]));
  return opened.map(lockName).map((name) =>
    // The first stream of a clock removes the clock from `clocks`. Further streams of the same clock get undefined.
    clocks.delete(name) ? { stream: numbers.get(name) ?? null } : undefined,
  );
};

/**
 * Removes the oldest clocks of users who have just begun a new clock and now have more than
 * `fixedLimits.clocksPerUser`.
 */
const removeExcessClocks = async (
  sql: Sql,
  numbered: readonly { readonly uid: string; readonly stream: number }[],
): Promise<void> => {
  const uids = [...new Set(numbered.flatMap(({ uid, stream }) => (stream === 1 ? [uid] : [])))];
  if (uids.length === 0) return;
  await sql`
    with excess as (
      select oldest.* from unnest(${uids}::text[]) as begun(uid) cross join lateral (
        select c.uid, c.source, c.device_id, c.clock from audio_clocks c where c.uid = begun.uid
        order by c.opened_at desc offset ${fixedLimits.clocksPerUser.value}
        -- A row that is being changed is in use, so it is not among the oldest any more.
        for update skip locked) as oldest
    ), removed as (
      delete from audio_clocks c using excess e
      where c.uid = e.uid and c.clock = e.clock and c.source = e.source and c.device_id = e.device_id
    )
    delete from audio_resumes r using excess e
    where r.uid = e.uid and r.clock = e.clock and r.source = e.source and r.device_id = e.device_id`;
};

/** Checks whether a device has sent audio of a recording on a newer stream than `stream`. */
export const hasNewerAudio = async (
  sql: Sql,
  { uid, source, deviceId, clock }: DeviceClock,
  stream: number,
): Promise<boolean> => {
  const [row] = await sql<{ newer: boolean }[]>`
    select exists (
      select from audio_resumes r where r.uid = ${uid} and r.clock = ${clock} and r.source = ${source}
        and r.device_id = ${deviceId ?? ''} and r.stream > ${stream}) as newer`;
  return row!.newer;
};

/**
 * Notes the positions from which devices send audio on streams. Called when the first audio of the streams has arrived.
 * A stream is skipped while late words of its clock are being stored. The locks are taken and released within one
 * statement, so an engine that stops meanwhile keeps no lock.
 * @returns for each stream the stored position of each track, which may have advanced since the stream was opened;
 *   undefined for a skipped stream.
 */
export const noteAudioResumes = async (
  sql: Sql,
  resumes: readonly DeviceResume[],
): Promise<readonly (readonly number[] | undefined)[]> => {
  const asked = resumes.map((resume, place) => {
    const { stream, positions } = resume;
    return { place, lock: lockName(resume), ...columnsOf(resume), stream, positions };
  });
  const noted = await sql<{ place: number }[]>`
    with locked as materialized (
      select * from jsonb_to_recordset(${sql.json(asked)}) as resume(place integer, lock text, uid text,
        source text, device text, clock text, stream integer, positions double precision[])
      where pg_try_advisory_xact_lock(hashtextextended(lock, 0))
    ), unneeded as (
      -- A row is not needed if a newer stream begins at the same position.
      delete from audio_resumes r using locked n
      where r.uid = n.uid and r.clock = n.clock and r.source = n.source and r.device_id = n.device and r.stream < n.stream
        and (r.positions = n.positions or r.stream <= n.stream - ${fixedLimits.clockStreams.value}::integer)
    ), noted as (
      insert into audio_resumes as r (uid, source, device_id, clock, stream, positions)
      select uid, source, device, clock, stream, positions from locked order by 1, 4, 2, 3, 5
      on conflict (uid, clock, source, device_id, stream) do update
      set positions = least(r.positions, excluded.positions), noted_at = now()
    )
    select place from locked`;
  const places = noted.map(({ place }) => place);
  // The stored positions are read after the statement above. So they cover all late words that were stored before this
  // statement.
  const confirmed = await readAudioConfirmed(
    sql,
    places.map((place) => resumes[place]!),
  );
  const found = new Map(places.map((place, index) => [place, confirmed[index]?.confirmed ?? []]));
  return resumes.map((_, place) => found.get(place));
};

/**
 * Returns the changes whose words may be stored late, in order. A change is left out if the device has sent the audio
 * of the change's newest words again on a newer stream. Until the transaction ends, no stream of the changes' clocks
 * notes a position.
 */
export const withoutSentAgain = async (
  sql: TransactionSql,
  changes: readonly SpilledChange[],
): Promise<readonly SpilledChange[]> => {
  const asked = changes.flatMap(({ conversation, audio }, place) => {
    if (!audio?.newest) return [];
    const { uid, source, deviceId } = conversation;
    const clock = { uid, source, deviceId, clock: audio.clock };
    return [{ place, lock: lockName(clock), ...columnsOf(clock), ...audio.newest }];
  });
  if (asked.length === 0) return changes;
  const locks = [...new Set(asked.map(({ lock }) => lock))].sort();
  await sql`
    select pg_advisory_xact_lock_shared(hashtextextended(lock, 0)) from unnest(${locks}::text[]) as lock`;
  // This must be a separate statement, so that it sees positions that were noted before the lock was taken.
  const rows = await sql<{ place: number }[]>`
    select change.place from jsonb_to_recordset(${sql.json(asked)})
      as change(place integer, uid text, source text, device text, clock text, stream integer, since double precision[])
    where exists (
      select from audio_resumes r where r.uid = change.uid and r.clock = change.clock and r.source = change.source
        and r.device_id = change.device and r.stream > change.stream and not exists (
          select from unnest(change.since, r.positions) as track(since, resumed)
          where track.since is null or track.resumed is null or track.since < track.resumed))`;
  const dropped = new Set(rows.map(({ place }) => place));
  return changes.filter((_, place) => !dropped.has(place));
};

/**
 * Removes clocks and positions that are no longer needed, because they are older than all copies of spilled entries.
 */
export const removeOldResumes = async (sql: Sql): Promise<void> => {
  const age = (2 * fixedLimits.spillCopiesAge.value) / 1000;
  await sql`delete from audio_clocks where opened_at < now() - make_interval(secs => ${age})`;
  await sql`delete from audio_resumes where noted_at < now() - make_interval(secs => ${age})`;
};
