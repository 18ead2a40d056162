import type { OpenRequest, StreamFormat } from '../../wire/index.js';
import type { Caller } from './handshake.js';

/**
 * Returns the `OpenRequest` for a new stream. The channel adds the generation of its slot.
 * @param stream id of the stream; unique in this process.
 */
export const openRequestOf = (
  { uid, query, device }: Caller,
  format: StreamFormat,
  stream: string,
): Omit<OpenRequest, 'generation'> => ({
  stream,
  uid,
  language: query.language,
  format,
  conversationTimeout: query.conversationTimeout,
  source: query.source,
  proposedConversation: query.proposedConversation,
  streamClock: query.streamClock,
  confirms: query.confirms,
  clockAt: query.clockAt,
  activity: query.activity,
  keywords: query.keywords,
  customStt: query.customStt,
  separateSides: query.separateSides,
  includeSpeechProfile: query.includeSpeechProfile,
  assignSpeakers: query.assignSpeakers,
  sttService: query.sttService,
  deviceId: device.deviceId,
  clientPlatform: device.platform,
  acceptedAt: Date.now(),
});
