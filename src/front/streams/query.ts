import { validate as isUuid, MAX, NIL } from 'uuid';
import { z } from 'zod';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  clampConversationTimeout,
  conversationSources,
  conversationTimeout,
  keywordRefusal,
  readKeywordText,
  storedLanguage,
} from '../../wire/index.js';

/** The query parameters of a `/v4/listen` address, with defaults for absent parameters. */
export interface ListenQuery {
  readonly uid: string | null;
  /** Language code; `multi` if the client sent `auto`. */
  readonly language: string;
  /** Sample rate in Hz as sent. The shard checks whether the codec permits this rate. */
  readonly sampleRate: number;
  /** Name of the codec as sent; may be unknown. */
  readonly codec: string;
  readonly channels: number;
  readonly includeSpeechProfile: boolean;
  /** If true, segments get the person that the product recognises. If false, this person is only suggested. */
  readonly assignSpeakers: boolean;
  /** Seconds of silence that end a conversation, 2 to 14400. */
  readonly conversationTimeout: number;
  readonly sttService: string | null;
  /** Custom words of the stream. Private, so never logged. */
  readonly keywords: readonly string[];
  readonly customStt: boolean;
  /** Whether to transcribe each side of a stereo stream separately. */
  readonly separateSides: boolean;
  /** One of `conversationSources`. */
  readonly source: string;
  /** The id that the client proposes for its conversation: a UUID in lower case, or null. */
  readonly proposedConversation: string | null;
  /** Id of the device's recording clock, or null. */
  readonly streamClock: string | null;
  /** Whether the client wants to know which audio is stored. */
  readonly confirms: boolean;
  /** Last position in ms that was confirmed to the device, on the clock `streamClock`. */
  readonly clockAt: number;
  /** Whether the client wants to know when speech begins and ends. */
  readonly activity: boolean;
}

/** Names of sources that existing clients send, each with the name of the same source in this product. */
const sourceAliases: Readonly<Record<string, string>> = {
  omi: 'svc',
  apple_watch: 'vendor_watch',
  rayban_meta: 'vendor_glasses',
};

const longestText = 256;
const integerPattern = /^\s*[+-]?\d+(?:_\d+)*(?:\.0*)?\s*$/;
const truths = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const falsehoods = new Set(['0', 'false', 'f', 'no', 'n', 'off']);

/** Schema of a parameter that may be absent. */
const text = z.string().optional();
/** Schema of a flag. It is true if the value of the parameter is exactly `word`. */
const is = (word: string) => text.transform((given) => given === word);

/**
 * Parses integers like the servers for which existing clients were made. A sign, `1_000` and `16000.0` are valid;
 * values beyond 2^53 are clamped.
 */
const integer = (fallback: number) =>
  text.transform((given, context) => {
    if (given === undefined) return fallback;
    if (!integerPattern.test(given)) {
      context.addIssue({ code: 'custom', message: 'not an integer' });
      return z.NEVER;
    }
    const value = Math.trunc(Number(given.replaceAll('_', '')));
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
  });

const boolean = (fallback: boolean) =>
  text.transform((given, context) => {
    if (given === undefined) return fallback;
    const word = given.toLowerCase();
    if (truths.has(word)) return true;
    if (falsehoods.has(word)) return false;
    context.addIssue({ code: 'custom', message: 'not a boolean' });
    return z.NEVER;
  });

/** Excludes control characters, because they cannot be stored. */
const printable = /^\P{Cc}*$/u;
const word = z.string().max(longestText, `longer than ${longestText} characters`);

const sourceOf = (given: string | undefined): string => {
  const name = (given ?? '').trim().toLowerCase();
  const known = sourceAliases[name] ?? name;
  return conversationSources.includes(known) ? known : 'svc';
};

/** Returns the proposed id in lower case. Null for texts that are not UUIDs, and for the nil and the max UUID. */
const proposalOf = (given: string | undefined): string | null => {
  const id = (given ?? '').trim().toLowerCase();
  return isUuid(id) && id !== NIL && id !== MAX ? id : null;
};

/** Returns the words of a list that is separated by commas. */
const keywords = text.transform((given, context) => {
  const read = readKeywordText(given ?? '');
  if ('words' in read) return read.words;
  context.addIssue({ code: 'custom', message: keywordRefusal(read) });
  return z.NEVER;
});

/** Schema of the id of a device's recording clock. */
const clock = z
  .string()
  .max(fixedLimits.streamClock.value, `longer than ${fixedLimits.streamClock.value} characters`)
  .regex(/^[A-Za-z0-9_-]+$/, 'not of the characters A-Z a-z 0-9 _ -');

/** Schema of a position on a device's recording clock, in ms. */
const position = z
  .string()
  .regex(/^\d+$/, 'not a whole number')
  .refine(
    (given) => Number(given) <= fixedLimits.clockPosition.value,
    `above ${fixedLimits.clockPosition.value}`,
  );

const schema = z.object({
  uid: word.min(1, 'empty').regex(printable, 'not printable').optional(),
  language: word.regex(printable, 'not printable').default('en').transform(storedLanguage),
  sample_rate: integer(8000),
  codec: word.default('pcm8'),
  channels: integer(1),
  include_speech_profile: boolean(true),
  speaker_auto_assign: is('enabled'),
  conversation_timeout: integer(conversationTimeout.default).transform(clampConversationTimeout),
  stt_service: word.optional(),
  keywords,
  custom_stt: is('enabled'),
  stereo: is('separate'),
  source: text.transform(sourceOf),
  client_conversation_id: text.transform(proposalOf),
  stream_clock: clock.optional(),
  confirm: is('1'),
  clock_at: position.default('0').transform(Number),
  activity: boolean(false),
});

/**
 * Parses the query of a stream's address. Ignores unknown parameters. Of a repeated parameter the last value counts,
 * except for `keywords`, whose words are joined.
 * @param query the part after `?`, with its percent-encoding.
 * @throws CochleaError query_invalid naming the first invalid parameter.
 */
export const parseListenQuery = (query: string): ListenQuery => {
  const given: Record<string, string> = Object.create(null);
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) given[name] = value;
  if (parameters.has('keywords')) given.keywords = parameters.getAll('keywords').join(',');
  const parsed = schema.safeParse({ ...given });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new CochleaError('query_invalid', {
      name: String(issue?.path[0] ?? 'query'),
      why: issue?.message ?? 'not valid',
    });
  }
  const { data } = parsed;
  return {
    uid: data.uid ?? null,
    language: data.language,
    sampleRate: data.sample_rate,
    codec: data.codec,
    channels: data.channels,
    includeSpeechProfile: data.include_speech_profile,
    assignSpeakers: data.speaker_auto_assign,
    conversationTimeout: data.conversation_timeout,
    sttService: data.stt_service?.trim().toLowerCase() || null,
    keywords: data.keywords,
    customStt: data.custom_stt,
    separateSides: data.stereo,
    source: data.source,
    proposedConversation: data.client_conversation_id,
    streamClock: data.stream_clock ?? null,
    confirms: data.confirm,
    clockAt: data.clock_at,
    activity: data.activity,
  };
};
