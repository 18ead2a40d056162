import { firstRow, type Sql } from '../client/index.js';
import { requestSteps } from '../jobs/index.js';

/** An image that waits for its description. */
export interface DuePhoto {
  readonly id: string;
  readonly uid: string;
  readonly file: string;
  readonly content_type: string;
  /** Language of the image's conversation. */
  readonly language: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
}

/** An image that no longer waits, with its description. */
export interface PhotoDescription {
  readonly id: string;
  /** Null when no model describes images on this deployment. */
  readonly description: string | null;
  readonly discarded: boolean;
}

/**
 * Takes a waiting image. Users take turns: the user whose last description is oldest comes first. Users with an image
 * in progress or waiting for a retry come after all others. When a process dies, its attempt is repeated after `expiry`
 * seconds.
 */
export const takeDuePhoto = (sql: Sql, place: string, expiry: number): Promise<DuePhoto | null> =>
  firstRow(sql<DuePhoto[]>`
    update photos set attempts = attempts + 1, due_at = now() + make_interval(secs => ${expiry}) where id = (
      select p.id from photos p
      where p.described_at is null and p.due_at <= now() and p.place = ${place} and p.uid = (
        select w.uid from (
          select uid, bool_or(due_at > now()) as busy, min(created_at) filter (where due_at <= now()) as oldest
          from photos where described_at is null and place = ${place} group by uid) w
        where oldest is not null
          and not exists (select from users u where u.uid = w.uid and u.deleting_at is not null)
        order by busy, (select max(o.described_at) from photos o where o.uid = w.uid) nulls first, oldest limit 1)
      order by p.created_at limit 1 for update skip locked)
    returning id, uid, file, content_type, attempts,
      (select language from conversations c where c.id = photos.conversation_id) as language`);

/** Stores the description of an image. Requests a new summary when its conversation is completed and contains only images. */
export const storeDescription = async (
  sql: Sql,
  id: string,
  { description, discarded }: Omit<PhotoDescription, 'id'>,
): Promise<void> => {
  await sql.begin(async (transaction) => {
    const [row] = await transaction<{ uid: string; conversation_id: string }[]>`
      update photos set description = ${description}, discarded = ${discarded}, described_at = now()
      where id = ${id} and described_at is null returning uid, conversation_id`;
    if (row === undefined) return;
    const silent = await transaction`
      select 1 as silent from conversations c where id = ${row.conversation_id} and status = 'completed' and deleted_at is null
        and not exists (select from segments s where s.conversation_id = c.id and not s.deleted)`;
    if (silent.length === 0) return;
    await requestSteps(transaction as unknown as Sql, row.uid, row.conversation_id, [
      { step: 'structure', again: true },
    ]);
  });
};

/** Delays the next attempt of an image by `seconds`. */
export const postponePhoto = async (sql: Sql, id: string, seconds: number): Promise<void> => {
  await sql`
    update photos set due_at = now() + make_interval(secs => ${seconds}) where id = ${id} and described_at is null`;
};

/**
 * Marks up to `limit` waiting images as done without a description, when no model describes images.
 * @returns the number of marked images
 */
export const leavePhotosUndescribed = async (sql: Sql, place: string, limit: number): Promise<number> => {
  const rows = await sql`
    update photos set described_at = now() where id in (
      select id from photos where described_at is null and place = ${place} limit ${limit} for update skip locked)
    returning 1 as left_out`;
  return rows.length;
};

/** Returns the images among `ids` that no longer wait for a description. */
export const describedPhotos = (sql: Sql, ids: readonly string[]): Promise<PhotoDescription[]> =>
  sql<PhotoDescription[]>`
    select id, description, discarded from photos where id = any(${ids as string[]}::uuid[]) and described_at is not null`;
