import { fixedLimits } from '../../config/limits/index.js';
import type { Sql } from '../client/index.js';

/**
 * A recording of a device that sends the positions of its audio. `clock` is the id of the recording (`stream_clock`).
 */
export interface DeviceClock {
  readonly uid: string;
  readonly source: string;
  readonly deviceId: string | null;
  readonly clock: string;
}

/** The position up to which the words of a recording are stored. */
export interface ConfirmedAudio {
  /** Position in ms of each track. */
  readonly confirmed: readonly number[];
  /** See `AudioPosition.began`; null if it is not known. */
  readonly began: number | null;
}

/**
 * Returns for each recording the positions stored in its newest conversation; null if the recording has no
 * conversation.
 */
export const readAudioConfirmed = async (
  sql: Sql,
  clocks: readonly DeviceClock[],
): Promise<readonly (ConfirmedAudio | null)[]> => {
  const asked = clocks.map(({ uid, source, deviceId, clock }) => ({ uid, source, device: deviceId, clock }));
  const rows = await sql<{ confirmed: number[] | null; began: Date | null }[]>`
    select found.confirmed, found.began
    from rows from (jsonb_to_recordset(${sql.json(asked)}) as (uid text, source text, device text, clock text))
      with ordinality as asked(uid, source, device, clock, place)
    left join lateral (
      select audio_confirmed_ms as confirmed, audio_began_at as began from (
        select audio_clock, audio_confirmed_ms, audio_began_at, source, client_device_id, created_at
        from conversations c
        where c.uid = asked.uid order by created_at desc limit ${fixedLimits.clockConversations.value}) as newest
      where audio_clock = clock and newest.source = asked.source and client_device_id is not distinct from device
      order by created_at desc limit 1) as found on true
    order by place`;
  return rows.map(({ confirmed, began }) => confirmed && { confirmed, began: began?.getTime() ?? null });
};
