import { z } from 'zod';

/** Schema of the body of a failed transcription, which is the same on every route. */
export const voiceFailureBody = z
  .strictObject({
    error: z.string(),
    outcome: z.enum(['empty_unexpected', 'timeout', 'upstream_error', 'config_error', 'invalid_input']),
    provider: z.string().meta({ description: 'Name of the provider, or `unknown` if none was asked.' }),
    retryable: z.boolean(),
    message: z.string().meta({ description: 'What failed. For invalid audio: the fault of the audio.' }),
  })
  .meta({ id: 'VoiceFailure' });

/** Schema of an answer's note about a file with missing audio. */
export const incomplete = z.string().optional().meta({
  description:
    'Why audio of a file is missing, for example because the file is truncated or damaged. The rest of the audio was used. Absent if nothing seems to be missing.',
});
