import { z } from 'zod';

/** The body of a failed transcription, the same on every route. */
export const voiceFailureBody = z
  .strictObject({
    error: z.string(),
    outcome: z.enum(['empty_unexpected', 'timeout', 'upstream_error', 'config_error', 'invalid_input']),
    provider: z
      .string()
      .meta({ description: 'Name of what transcribes, or `unknown` where it was not asked.' }),
    retryable: z.boolean(),
    message: z.string(),
  })
  .meta({ id: 'VoiceFailure' });
