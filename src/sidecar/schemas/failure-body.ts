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
    message: z.string().meta({ description: 'Of invalid audio, what is wrong with it.' }),
  })
  .meta({ id: 'VoiceFailure' });

/** The note of an answer about a file with missing audio. */
export const incomplete = z.string().optional().meta({
  description:
    'Why audio of a file is missing, as of one that is cut off or damaged: what is there was used. Absent where nothing shows that any is.',
});
