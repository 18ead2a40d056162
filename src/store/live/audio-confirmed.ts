import { fixedLimits } from '../../config/limits/index.js';
import type { Sql } from '../client/index.js';

/**
 * Returns the position in ms of each track on a device's clock, from the newest conversation with stored positions;
 * null if there is no such conversation.
 */
export const readAudioConfirmed = async (
  sql: Sql,
  {
    uid,
    source,
    deviceId,
  }: { readonly uid: string; readonly source: string; readonly deviceId: string | null },
  clock: string,
): Promise<readonly number[] | null> => {
  const [row] = await sql<{ audio_confirmed_ms: number[] }[]>`
    select audio_confirmed_ms from (
      select audio_clock, audio_confirmed_ms, source, client_device_id, created_at from conversations
      where uid = ${uid} order by created_at desc limit ${fixedLimits.clockConversations.value}) as newest
    where audio_clock = ${clock} and source = ${source} and client_device_id is not distinct from ${deviceId}
    order by created_at desc limit 1`;
  return row?.audio_confirmed_ms ?? null;
};
