import type { OpenRequest, StreamFormat } from '../../wire/index.js';
import type { Caller } from './handshake.js';

/**
 * What a shard is told of a stream that opens now; the generation of its slot is the channel's to add.
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
