import { z } from 'zod';
import { postRecord, type RecordDeclaration } from '../../wire/records/index.js';
import { shownShape } from './record-schemas.js';

/**
 * Returns the schema of an answer with a record that has a time.
 * @param more fields that follow the record's id and time.
 */
export const timedAnswer = (record: RecordDeclaration, more: z.ZodRawShape = {}) =>
  z.object({
    id: z.string(),
    created_at: z.iso.datetime(),
    ...more,
    ...shownShape(record, 'developer'),
  });

/** Schema of a post in answers. */
export const postAnswer = timedAnswer(postRecord).meta({ id: 'Post' });

export const examplePost = {
  id: '1764',
  kind: 'tweet' as const,
  text: 'The garden is ready.',
  created_at: '2026-03-01T10:00:00Z',
};
