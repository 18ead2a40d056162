import type { OpenRequest, StreamFormat } from '../../wire/index.js';
import type { Caller } from './handshake.js';

/**
 * The request to a shard for a new stream; the channel adds the generation of its slot.
 * @param stream names the recording; unique in this process.
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
  customStt: query.customStt,
  separateSides: query.separateSides,
  includeSpeechProfile: query.includeSpeechProfile,
  assignSpeakers: query.assignSpeakers,
  sttService: query.sttService,
  deviceId: device.deviceId,
  clientPlatform: device.platform,
  acceptedAt: Date.now(),
});
