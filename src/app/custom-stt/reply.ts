import { z } from 'zod';
import { settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';

/** Maximum number of bytes of a text message that an engine with the default `MAX_TEXT` accepts. */
const longestText = settings.maxText.schema.parse(undefined);
/** Name under which the words of a custom service are stored. */
const providerName = 'custom';

/** The requirement of each rule for custom transcription services, by the name of the rule. */
export const serviceRules = {
  connect: 'it accepts a WebSocket',
  audio: 'it accepts binary frames in the codec of the application without closing the connection',
  json: 'every message is a text that is JSON',
  object: 'every message is an object; an array fails',
  segments: 'a message without a type, or of type Results, has a list "segments"',
  type: 'a message with segments has no type, or type Results; with other types the words are lost',
  text: 'every segment has a text',
  speaker: 'the speaker of a segment is absent, or written as SPEAKER_00',
  times: 'start and end of a segment are absent, or seconds of the audio that was sent, in order',
  size: `a message has ${fixedLimits.suggestedSegments.value} segments and ${longestText} bytes at most, the limits of an engine`,
  words: 'speech is answered with its words',
  close: 'after {"type":"CloseStream"} it sends the remaining words, and closes',
  idle: 'an idle connection is closed after 90 s, and not before',
} as const;
export type ServiceRule = keyof typeof serviceRules;

/** Maximum number of seconds by which the times of a segment may exceed the length of the audio sent. */
const ahead = 1;

const segmentSchema = z.looseObject({
  text: z.string(),
  speaker: z.string().optional(),
  start: z.number().optional(),
  end: z.number().optional(),
});
export type ServiceSegment = z.output<typeof segmentSchema>;

/** Returns the message that sends the words of a service to an engine. */
export const relayedText = (segments: readonly ServiceSegment[]): string =>
  JSON.stringify({ type: 'suggested_transcript', segments, stt_provider: providerName });

/** Result of reading a message from a service. */
export type ServiceReply =
  | { readonly kind: 'segments'; readonly segments: readonly ServiceSegment[] }
  | {
      readonly kind: 'ignored';
      /** The rule that the message breaks, if words of the message are lost. */
      readonly fault?: { readonly rule: ServiceRule; readonly why: string };
    }
  | {
      readonly kind: 'broken';
      readonly rule: ServiceRule;
      readonly why: string;
      /** True if the message ended the connection; otherwise absent. */
      readonly ends?: true;
    };

const broken = (rule: ServiceRule, why: string): ServiceReply => ({ kind: 'broken', rule, why });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Returns the rule that a segment breaks; undefined if the segment breaks no rule.
 * @param sent seconds of audio sent to the service.
 */
const brokenBy = (given: unknown, sent: number): ServiceReply | undefined => {
  const { text, speaker, start, end } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  if (typeof text !== 'string') return broken('text', 'a segment has no text');
  if (speaker !== undefined && !(typeof speaker === 'string' && /^SPEAKER_\d+$/.test(speaker)))
    return broken('speaker', 'a speaker is not written as SPEAKER_00');
  for (const time of [start, end]) {
    if (time === undefined) continue;
    if (typeof time !== 'number' || !Number.isFinite(time) || time < 0)
      return broken('times', 'a time is not a number of seconds');
    if (time > sent + ahead) return broken('times', 'a time is after the end of the audio sent so far');
  }
  if (typeof start === 'number' && typeof end === 'number' && end < start)
    return broken('times', 'a segment ends before it starts');
  return undefined;
};

/** Connection errors caused by a message, by error code of the WebSocket library. */
const messageFaults: Readonly<Record<string, readonly [rule: ServiceRule, why: string]>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: ['size', 'a message is too long to be read at all'],
  WS_ERR_INVALID_UTF8: ['json', 'a message is not UTF-8'],
};

/** Returns the rule broken by the message that ended the connection; undefined if the connection ended for another reason. */
export const readFault = (error: { readonly code?: string }): ServiceReply | undefined => {
  const fault = messageFaults[error.code ?? ''];
  return fault && { kind: 'broken', rule: fault[0], why: fault[1], ends: true };
};

/**
 * Reads a message of a custom transcription service as the application does.
 * @param text undefined for a binary message.
 * @param sent seconds of audio sent to the service so far.
 */
export const readReply = (text: string | undefined, sent: number): ServiceReply => {
  if (text === undefined) return broken('json', 'a message is binary');
  const value = parsed(text);
  if (value === undefined) return broken('json', 'a message is not JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return broken('object', `a message is ${Array.isArray(value) ? 'an array' : 'no object'}`);
  const { type, segments } = value as Record<string, unknown>;
  const counts = type === undefined || type === 'Results';
  if (!counts) {
    if (segments === undefined) return { kind: 'ignored' };
    const why = 'a message with segments is of another type than Results';
    return { kind: 'ignored', fault: { rule: 'type', why } };
  }
  if (!Array.isArray(segments)) return broken('segments', 'a message has no list of segments');
  if (segments.length > fixedLimits.suggestedSegments.value)
    return broken('size', `a message has ${segments.length} segments`);
  for (const segment of segments) {
    const fault = brokenBy(segment, sent);
    if (fault !== undefined) return fault;
  }
  const read = segments.map((segment) => segmentSchema.parse(segment));
  // If an application relayed a text longer than `longestText`, the engine would close its stream.
  const bytes = Buffer.byteLength(relayedText(read));
  if (bytes > longestText) return broken('size', `a message is relayed as ${bytes} bytes`);
  return { kind: 'segments', segments: read };
};
