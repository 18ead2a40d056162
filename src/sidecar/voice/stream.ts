import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CochleaError } from '../../errors/index.js';
import {
  type ServedUtterance,
  type SpokenUtterance,
  transcribeStream,
  type VoiceFailureBody,
  type VoiceLanguage,
  type VoiceWork,
  voiceKeywords,
  voiceLanguage,
} from '../../service/voice/index.js';
import {
  emptySegment,
  type LiveSegment,
  type VoiceStreamLine,
  voiceStreamPath,
  voiceStreamStart,
} from '../../wire/index.js';
import { firstParty } from '../access/index.js';
import { answerStream } from '../answers/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { voiceFailureBody } from '../schemas/index.js';
import { bodyOf, pcmFormat } from './receive-voice.js';
import { StreamAudio } from './stream-audio.js';
import { type AudioInput, answerMargin, voiceErrors } from './transcribe.js';
import { VoiceAttempt } from './voice-attempt.js';
import type { VoicePlaces } from './voice-places.js';

const query = z.object({
  language: z.string().max(35).optional(),
  sample_rate: z.string().optional(),
  keywords: z.string().optional(),
});

/** Returns the line that closes a stream after an error. `code` applies if the registry has no close code for the error. */
const closing = (error: CochleaError, code = 1008): VoiceStreamLine => ({
  close: { code: error.entry.close ?? code, reason: error.message },
});

/** Returns the message that reports a failed provider. Live streams send the same message. */
const failed = ({ outcome, provider, retryable, message }: VoiceFailureBody) => ({
  type: 'service_status',
  status: 'stt_failed',
  status_text: message,
  outcome,
  provider,
  retryable,
});

/** Converts an utterance to a segment. The speaker of a voice message is always the user. */
const segmentOf = ({ text, start, end }: SpokenUtterance, provider: string): LiveSegment => ({
  ...emptySegment,
  id: randomUUID(),
  text,
  is_user: true,
  start,
  end,
  speech_profile_processed: false,
  stt_provider: provider,
});

/**
 * Yields the pieces without their first bytes.
 * @param bytes number of bytes to skip.
 */
async function* behind(bytes: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    const kept = piece.subarray(Math.min(left, piece.length));
    left = Math.max(0, left - piece.length);
    if (kept.length > 0) yield kept;
  }
}

/** Receives and transcribes the audio of a message. A failure before the first line gets an ordinary error answer. */
const transcribeSpoken = async (
  { sql, settings, limits, voice, voiceMetrics }: RouteContext,
  places: VoicePlaces,
  { caller: { uid }, query: asked, request, reply }: AudioInput<z.output<typeof query>>,
): Promise<FastifyReply> => {
  const leave = places.enter(uid);
  let provider = voice?.provider ?? 'unknown';
  const { voiceTimeout: timeout, voiceStreamLength: longest } = settings;
  const attempt = new VoiceAttempt(
    { metrics: voiceMetrics, route: 'voice_stream', timeout, provider },
    request,
    reply,
  );
  const { signal } = attempt;

  const transcribe = async (
    work: VoiceWork,
    asked: VoiceLanguage & { readonly keywords: readonly string[] },
    audio: StreamAudio,
    tell: (line: VoiceStreamLine) => void,
  ): Promise<void> => {
    let hasText = false;
    const served = (utterance: ServedUtterance): void => {
      provider = utterance.provider;
    };
    try {
      const message = { ...asked, uid, id: randomUUID(), signal, served };
      await transcribeStream(work, message, audio, (utterance) => {
        hasText = true;
        tell({ send: [segmentOf(utterance, provider)] });
      });
    } catch (thrown) {
      if (attempt.isLeft) {
        attempt.left(hasText, provider);
        throw thrown;
      }
      // Counts no failure if no audio was accepted, because nothing could be decoded then.
      if (audio.hasAudio) {
        const { body } = attempt.failure(thrown);
        tell({ send: failed(body) });
        tell({ close: { code: body.outcome === 'invalid_input' ? 1008 : 1011, reason: body.message } });
        return;
      }
    }
    // If the daily audio was used up before the first second, the message does not count as an attempt.
    if (audio.refusal === undefined || audio.hasAudio)
      attempt.end(hasText ? 'success' : 'expected_silence', provider);
    if (audio.refusal !== undefined) tell(closing(audio.refusal));
  };

  try {
    if (voice === null) throw new CochleaError('stt_provider_configuration_error');
    const { rate, channels } = pcmFormat(asked);
    const spoken = await voiceLanguage(sql, voice, uid, asked.language);
    const keywords = await voiceKeywords(sql, uid, asked.keywords);
    provider = voice.transcription.for(spoken.language)?.name ?? provider;
    const audio = new StreamAudio({
      pieces: behind(voiceStreamStart, bodyOf(request.raw, settings.voiceSize)),
      rate,
      channels,
      longest,
      charge: (seconds) => limits.consumeMore(uid, 'voice:audio', seconds, request),
    });
    await answerStream(reply, { 'content-type': 'application/x-ndjson' }, (write) =>
      transcribe(voice, { ...spoken, keywords }, audio, (line) => write(`${JSON.stringify(line)}\n`)),
    );
  } catch (thrown) {
    if (attempt.isLeft) attempt.left(false, provider);
    attempt.answerFailure(thrown);
  } finally {
    leave();
  }
  return reply;
};

/**
 * Declares the route that transcribes a voice message while the user speaks. The front turns each such WebSocket into a request. The body
 * is audio until the client ends it. The answer is lines (`VoiceStreamLine`).
 */
export const voiceStream = (context: RouteContext, places: VoicePlaces): Route =>
  route({
    method: 'POST',
    url: voiceStreamPath,
    operationId: 'transcribeVoiceStream',
    tag: 'Voice messages',
    summary: 'Transcribe a voice message while the user speaks',
    access: firstParty,
    limits: ['voice:transcribe_stream'],
    upload: { field: 'files', description: 'None.', raw: 'PCM of 16 bits, little endian, mono.' },
    failureBody: voiceFailureBody,
    withoutTurn: true,
    described: false,
    timeout: context.settings.voiceTimeout + answerMargin,
    errors: voiceErrors,
    query,
    events: 'Lines for the front.',
    handle: async (input) => (await transcribeSpoken(context, places, input)) as never,
  });
