import { integer, type Setting, setting } from './setting.js';

/** Settings for images that clients send on a stream. */
export const photoSettings = {
  maxImage: setting(
    'MAX_IMAGE',
    integer(4_194_304, 1024, 8_388_608),
    'Maximum size of an image with all its chunks.',
    {
      unit: 'bytes',
      protects: 'the memory of a shard, and the disk',
      client: '`service_status` `message_refused`; the image is not stored',
    },
  ),
  photosSize: setting(
    'PHOTOS_SIZE',
    integer(17_179_869_184, 1_048_576, 109_951_162_777_600),
    'Maximum size of the images of all users, in the data folder or the bucket. At the limit, new images are refused, and no image is deleted.',
    {
      unit: 'bytes',
      protects: 'the disk',
      client: '`service_status` `message_refused`; the image is not stored',
    },
  ),
  photosUserSize: setting(
    'PHOTOS_USER_SIZE',
    integer(1_073_741_824, 1_048_576, 109_951_162_777_600),
    'Part of PHOTOS_SIZE that the images of one user can take.',
    {
      unit: 'bytes',
      protects: 'the images of other users',
      client: '`service_status` `message_refused`; the image is not stored',
    },
  ),
  photoLinkLifetime: setting(
    'PHOTO_LINK_LIFETIME',
    integer(900, 10, 86_400),
    'Lifetime of a link that opens an image without a credential.',
    { unit: 's' },
  ),
} as const satisfies Record<string, Setting>;
