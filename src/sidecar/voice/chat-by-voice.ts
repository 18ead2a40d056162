import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { StagedAudio } from '../../audio/files/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  type Repeatable,
  type RepeatedRequests,
  sentBefore,
  storeMessage,
} from '../../service/chat/index.js';
import {
  type ServedUtterance,
  transcribeVoice,
  type VoiceLanguage,
  type VoiceWork,
  voiceKeywords,
  voiceLanguage,
} from '../../service/voice/index.js';
import { voiceChatPath } from '../../wire/index.js';
import { firstParty } from '../access/index.js';
import { answerEvents, type ChatEventSink, chatEvents, chatParts, recordReading } from '../chat/index.js';
import { type Route, type RouteContext, type RouteInput, route } from '../frame/index.js';
import { idempotencyHeaders, voiceFailureBody } from '../schemas/index.js';
import { chargeFiles, checkAudioLeft, receiveCharged } from './charged-files.js';
import { closeAll, receiveForm } from './receive-voice.js';
import { answerMargin, voiceErrors } from './transcribe.js';
import { VoiceAttempt } from './voice-attempt.js';
import type { VoicePlaces } from './voice-places.js';

type Input = Pick<
  RouteInput<undefined, undefined, z.output<typeof idempotencyHeaders>, undefined>,
  'caller' | 'headers' | 'request' | 'reply'
>;

/** The data of a message that is known before its events begin. */
interface Prepared {
  readonly work: VoiceWork;
  readonly file: StagedAudio;
  readonly spoken: VoiceLanguage;
  readonly keywords: readonly string[];
  readonly repeatable: Repeatable | undefined;
  /** The transcribed text, if an earlier request with the same key stored it; else null. */
  readonly said: string | null;
}

/** Returns what must be equal in all requests with the same key: the hash of the audio, and its declared language. */
const givenBy = async (file: StagedAudio, named: string | undefined): Promise<unknown> => {
  const hash = createHash('sha256');
  for await (const piece of file.frames()) hash.update(piece);
  return { audio: hash.digest('base64url'), format: file.format, language: named ?? null };
};

/** Receives a message and charges its audio. If there are several files, only the first is the message. */
const prepare = async (
  context: RouteContext,
  { caller: { uid }, headers, request }: Input,
  signal: AbortSignal,
  keep: (files: readonly StagedAudio[]) => void,
): Promise<Prepared> => {
  const { sql, settings, limits, voice } = context;
  if (voice === null) throw new CochleaError('stt_provider_configuration_error');
  const charged = { limits, uid, request };
  const key = headers['idempotency-key'];
  // A repeated message costs nothing. So a request with a key is received even if the daily audio is used up.
  if (key === undefined) await checkAudioLeft(charged);
  return receiveCharged(charged, async (spent) => {
    const receiving = { staging: { ...voice, signal, user: uid, spent }, bytes: settings.voiceSize };
    const { files, language: named, keywords: words } = await receiveForm(request.raw, receiving, true);
    keep(files);
    const [file, ...others] = files;
    await closeAll(others);
    // Refuses incomplete audio, because events cannot report that a question is incomplete.
    if (file!.incomplete !== null) throw new CochleaError('recording_invalid', { why: file!.incomplete });
    const spoken = await voiceLanguage(sql, voice, uid, named);
    const keywords = await voiceKeywords(sql, uid, words);
    const repeatable = key === undefined ? undefined : { key, given: await givenBy(file!, named) };
    const said =
      repeatable === undefined ? null : await sentBefore(chatParts(context, request), uid, repeatable);
    // Audio that an earlier request with the same key paid for is not charged again.
    if (said === null) await chargeFiles(charged, spent);
    return { work: voice, file: file!, spoken, keywords, repeatable, said };
  });
};

/**
 * Transcribes a voice message. Sends the stored message and its answer as events.
 * @throws errors of the transcription and of the store; the reason of the attempt's signal.
 */
const answer = async (
  context: RouteContext,
  { caller: { uid }, request }: Input,
  attempt: VoiceAttempt,
  { work, file, spoken, keywords, repeatable, said }: Prepared,
  events: ChatEventSink,
): Promise<void> => {
  const { signal } = attempt;
  let provider = work.transcription.for(spoken.language)?.name ?? work.provider;
  const served = (utterance: ServedUtterance): void => {
    provider = utterance.provider;
  };
  const transcript =
    said ??
    (await transcribeVoice(work, { uid, id: randomUUID(), ...spoken, keywords, signal, served }, file));
  if (transcript === '') {
    attempt.end('expected_silence', provider);
    return;
  }
  const parts = chatParts(context, request);
  const stored = await storeMessage(parts, uid, { text: transcript, signal, repeatable });
  attempt.end('success', provider);
  events.record('message', stored.message);
  const answered = await stored.answer(events.part);
  recordReading('voice_chat', uid, request, answered);
  events.record('done', { ...answered, ask_for_nps: false });
};

/** Answers a message with events. A failure before the first event gets an ordinary error answer. A later failure is the last event. */
const converse = async (
  context: RouteContext,
  places: VoicePlaces,
  repeated: RepeatedRequests,
  input: Input,
): Promise<FastifyReply> => {
  const { settings, voice, voiceMetrics } = context;
  const { caller, request, reply } = input;
  const leave = places.enter(caller.uid);
  const attempt = new VoiceAttempt(
    {
      metrics: voiceMetrics,
      route: 'voice_chat_sse',
      timeout: settings.voiceTimeout,
      provider: voice?.provider ?? 'unknown',
    },
    request,
    reply,
  );
  let kept: readonly StagedAudio[] = [];
  const key = input.headers['idempotency-key'];
  try {
    await repeated.inTurn(caller.uid, key, async () => {
      const prepared = await prepare(context, input, attempt.signal, (files) => {
        kept = files;
      });
      await answerEvents(reply, async (events) => {
        try {
          await answer(context, input, attempt, prepared, events);
        } catch (thrown) {
          if (attempt.isLeft) throw thrown;
          events.failure(attempt.failure(thrown).body);
        }
      });
    });
  } catch (thrown) {
    attempt.answerFailure(thrown);
  } finally {
    await closeAll(kept);
    leave();
  }
  return reply;
};

/** Declares the route for spoken chat messages. */
export const chatByVoice = (context: RouteContext, places: VoicePlaces, repeated: RepeatedRequests): Route =>
  route({
    method: 'POST',
    url: voiceChatPath,
    operationId: 'sendVoiceMessage',
    tag: 'Chat',
    summary: "Send a voice message and get an answer from the user's conversations",
    description:
      'Takes a form with `.bin` files of frames and the optional fields `language` and `keywords` (words separated by commas). The first file is the message. The transcript and the answer are stored as chat messages of the user. A message repeated with its key is not transcribed or answered again. Silence gives an empty stream. A failure after the first event is a last event `error: ` with the five members of `VoiceFailure` as JSON.',
    access: firstParty,
    limits: ['voice:message'],
    upload: { field: 'files', description: 'A `.bin` file of frames.' },
    failureBody: voiceFailureBody,
    headers: idempotencyHeaders,
    withoutTurn: true,
    timeout: context.settings.voiceTimeout + answerMargin,
    errors: [...voiceErrors, 'idempotency_conflict', 'idempotency_gone'],
    events: chatEvents,
    handle: async (input) => (await converse(context, places, repeated, input)) as never,
  });
