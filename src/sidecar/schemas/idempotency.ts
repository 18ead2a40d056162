import { z } from 'zod';
import { trimmed } from './fields.js';

const longestKey = 200;

/** Schema of a header with which clients can safely repeat a request that creates a record. */
export const idempotencyHeaders = z.object({
  'idempotency-key': trimmed(1, longestKey)
    .optional()
    .meta({ description: 'Repetitions with the same key within a week create nothing more.' }),
});

/** Schema of the idempotency key as a field of the body, for clients that cannot set headers. */
export const sessionField = {
  client_session_id: trimmed(1, longestKey)
    .nullish()
    .meta({ description: 'Same meaning as the header Idempotency-Key.' }),
};

/** Returns the idempotency key of a request from its header, else from its body; null without a key. */
export const creationKey = (
  headers: z.output<typeof idempotencyHeaders>,
  body: { readonly client_session_id?: string | null | undefined },
): string | null => headers['idempotency-key'] ?? body.client_session_id ?? null;
