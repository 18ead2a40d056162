import { z } from 'zod';
import { postKinds } from '../../service/records/index.js';

/** A post as it is shown. */
export const postAnswer = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    kind: z.enum(postKinds),
    text: z.string(),
  })
  .meta({ id: 'Post' });

export const examplePost = {
  id: '1764',
  kind: 'tweet' as const,
  text: 'The garden is ready.',
  created_at: '2026-03-01T10:00:00Z',
};
