import { fixedLimits } from '../../config/limits/index.js';

const hour = 3600;

const hourly = (allowed: number) => ({ allowed, seconds: hour });

/** Every rate limit by user: the number of requests per window, and the window's length in seconds. */
export const ratePolicies = {
  'dev:memories_read': hourly(120),
  'dev:memories': hourly(120),
  'dev:memories_batch': hourly(15),
  'dev:action_items_read': hourly(120),
  'dev:action_items_write': hourly(120),
  'dev:goals_read': hourly(120),
  'dev:goals_write': hourly(120),
  'dev:conversations_read': hourly(60),
  'dev:conversation_detail_read': hourly(60),
  'dev:conversation_reads_total': hourly(60),
  'dev:conversation_transcript_read': hourly(25),
  'dev:conversations': hourly(25),
  'dev:photos_read': hourly(120),
  'dev:ask': hourly(25),
  'dev:key_read': hourly(120),
  'dev:keys': hourly(240),
  'dev:keys_create': hourly(60),
  'conversations:from-segments': hourly(30),
  'conversations:reprocess': hourly(3),
  'mcp:keys': hourly(240),
  'mcp:keys_create': hourly(60),
  'mcp:sse': hourly(2000),
  'mcp:read': hourly(300),
  'mcp:memories_read': hourly(120),
  'memories:create': hourly(60),
  'memories:modify': hourly(120),
  'memories:delete': hourly(60),
  'action_items:write': hourly(120),
  'recordings:upload': hourly(120),
  'recordings:read': hourly(2000),
  /** Counts seconds of audio instead of requests. */
  'recordings:audio': { allowed: fixedLimits.recordedAudio.value * hour, seconds: 24 * hour },
  'chat:message': hourly(120),
  'voice:transcribe': hourly(60),
  'voice:transcribe_stream': hourly(60),
  'voice:enrol': hourly(20),
  'voice:message': hourly(60),
  /** Counts seconds of audio instead of requests. */
  'voice:audio': { allowed: 7200, seconds: 86_400 },
  'own:read': hourly(600),
  'own:write': hourly(240),
  'console:read': hourly(6000),
  'console:write': hourly(1200),
} as const;

export type Policy = keyof typeof ratePolicies;
