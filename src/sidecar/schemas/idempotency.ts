import { z } from 'zod';
import { trimmed } from './fields.js';

const longestKey = 200;

/** Header with which a client can repeat a creating request. */
export const idempotencyHeaders = z.object({
  'idempotency-key': trimmed(1, longestKey)
    .optional()
    .meta({ description: 'Repetitions with the same key within a week create nothing more.' }),
});

/** The same key in the body, for clients that cannot set headers. */
export const sessionField = {
  client_session_id: trimmed(1, longestKey)
    .nullish()
    .meta({ description: 'Same meaning as the header Idempotency-Key.' }),
};

/** The key of a request, from the header, else from the body. */
export const creationKey = (
  headers: z.output<typeof idempotencyHeaders>,
  body: { readonly client_session_id?: string | null | undefined },
): string | null => headers['idempotency-key'] ?? body.client_session_id ?? null;
