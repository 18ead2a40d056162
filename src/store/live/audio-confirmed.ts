import { fixedLimits } from '../../config/limits/index.js';
import type { Sql } from '../client/index.js';

/** A recording clock of a device that uses positions. */
export interface DeviceClock {
  readonly uid: string;
  readonly source: string;
  readonly deviceId: string | null;
  readonly clock: string;
}

/**
 * Returns for each clock the position in ms of each track, from the newest conversation with stored positions; null if
 * there is no such conversation.
 */
export const readAudioConfirmed = async (
  sql: Sql,
  clocks: readonly DeviceClock[],
): Promise<readonly (readonly number[] | null)[]> => {
  const asked = clocks.map(({ uid, source, deviceId, clock }) => ({ uid, source, device: deviceId, clock }));
  const rows = await sql<{ confirmed: number[] | null }[]>`
    select (
      select audio_confirmed_ms from (
        select audio_clock, audio_confirmed_ms, source, client_device_id, created_at from conversations c
        where c.uid = asked.uid order by created_at desc limit ${fixedLimits.clockConversations.value}) as newest
      where audio_clock = clock and newest.source = asked.source and client_device_id is not distinct from device
      order by created_at desc limit 1) as confirmed
    from rows from (jsonb_to_recordset(${sql.json(asked)}) as (uid text, source text, device text, clock text))
      with ordinality as asked(uid, source, device, clock, place)
    order by place`;
  return rows.map(({ confirmed }) => confirmed);
};
