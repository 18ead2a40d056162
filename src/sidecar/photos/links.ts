import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { PhotoFiles } from '../../photos/index.js';
import { findPhoto, readPhoto } from '../../service/conversations/index.js';
import type { Sql } from '../../store/client/index.js';
import { type AnswerMemory, untilEnd } from '../answers/index.js';
import { photoKey } from './photo-key.js';

/** Path of photo links. The photo's id follows it. */
export const photoPath = '/v1/photos/';

export interface PhotoLinkOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  /** Files of the photos; null if this process cannot read them. */
  readonly photos: PhotoFiles | null;
  /** Memory for images. An image stays in memory until its client has read it. */
  readonly memory: AnswerMemory;
}

/** Maximum number of photos that are read at once. */
const atOnce = 16;

/**
 * Serves links to photos. A link needs no credential, so that a web page can show the image. The link is signed and expires. The path is
 * not a declared route, because its answer is not JSON.
 */
export const installPhotoLinks = (
  app: FastifyInstance,
  { settings, sql, photos, memory }: PhotoLinkOptions,
): void => {
  const key = photoKey(settings);
  let underWay = 0;
  app.get<{ Params: { id: string }; Querystring: { expires?: unknown; signature?: unknown } }>(
    `${photoPath}:id`,
    async ({ params, query }, reply) => {
      const { expires, signature } = query;
      if (typeof signature !== 'string' || typeof expires !== 'string' || !/^\d{1,12}$/.test(expires)) {
        throw new CochleaError('photo_link_invalid');
      }
      const link = { id: params.id, expires: Number(expires), signature };
      const photo = await findPhoto(sql, await key(), link, Date.now());
      untilEnd(await memory.take(photo.uid, photo.bytes), reply);
      if (underWay >= atOnce) throw new CochleaError('overloaded');
      underWay++;
      try {
        const bytes = await readPhoto(photos, photo);
        return await reply
          .header('content-type', photo.content_type)
          .header('cache-control', 'private, no-store')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('x-content-type-options', 'nosniff')
          .send(bytes);
      } finally {
        underWay--;
      }
    },
  );
};
