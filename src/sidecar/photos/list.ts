import { z } from 'zod';
import { publicAddress } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { conversationPhotos } from '../../service/conversations/index.js';
import { isoUtc } from '../../store/record/index.js';
import { developerKeyOrIdToken } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath } from '../schemas/index.js';
import { photoPath } from './links.js';
import { photoKey } from './photo-key.js';

const photoAnswer = z
  .object({
    id: z.uuid(),
    created_at: z.iso.datetime(),
    content_type: z.string(),
    bytes: z.int(),
    description: z.string().nullable().meta({
      description: 'Description of the image. null until it is described, or if no model describes images.',
    }),
    discarded: z.boolean().meta({ description: 'Whether the image shows nothing worth a description.' }),
    url: z
      .url()
      .meta({ description: 'Link to the image. It needs no credential and works until `url_expires_at`.' }),
    url_expires_at: z.iso.datetime(),
  })
  .meta({ id: 'ConversationPhoto' });

const example = {
  id: '3b1f8f43-8f5e-4a36-9a0b-0c7e1e3c5d11',
  created_at: '2026-03-02T09:30:05Z',
  content_type: 'image/jpeg',
  bytes: 48_213,
  description: 'A garden bed with a measuring tape.',
  discarded: false,
  url: 'https://cochlea.example/v1/photos/3b1f8f43-8f5e-4a36-9a0b-0c7e1e3c5d11?expires=1772444705&signature=mO1',
  url_expires_at: '2026-03-02T09:45:05Z',
};

/** Returns the routes for the images of conversations. */
export const photoRoutes = ({ sql, settings }: RouteContext): readonly Route[] => {
  const key = photoKey(settings);
  const address = publicAddress(settings);
  return [
    route({
      method: 'GET',
      url: '/v1/dev/user/conversations/{id}/photos',
      operationId: 'listConversationPhotos',
      tag: 'Conversations',
      summary: 'The images of a conversation, oldest first',
      description:
        'Each image has a link that works without a credential for a limited time (`PHOTO_LINK_LIFETIME`).',
      access: developerKeyOrIdToken('conversations:read'),
      limits: ['dev:photos_read'],
      resource: { createdBy: 'createConversationFromSegments', foreign: 404 },
      errors: ['conversation_not_found'],
      path: idPath,
      answer: z.array(photoAnswer),
      // This size is enough for the maximum number of photos of a conversation, with descriptions of usual length.
      answerBytes: fixedLimits.photosPerConversation.value * 2500,
      example: { answer: [example] },
      handle: async ({ caller, path }) => {
        const expires = Math.floor(Date.now() / 1000) + settings.photoLinkLifetime;
        const photos = await conversationPhotos(sql, caller.uid, path.id, await key(), expires);
        return photos.map(({ id, created_at, content_type, bytes, description, discarded, link }) => ({
          id,
          created_at: isoUtc(created_at),
          content_type,
          bytes,
          description,
          discarded,
          url: `${address}${photoPath}${id}?expires=${link.expires}&signature=${link.signature}`,
          url_expires_at: isoUtc(new Date(link.expires * 1000)),
        }));
      },
    }),
  ];
};
