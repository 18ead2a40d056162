import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CochleaError } from '../../errors/index.js';
import {
  DetectedLanguages,
  type ServedUtterance,
  transcribeVoice,
  voiceKeywords,
  voiceLanguage,
} from '../../service/voice/index.js';
import { automaticLanguage, voiceTranscriptionPath } from '../../wire/index.js';
import { firstParty } from '../access/index.js';
import { type Route, type RouteContext, type RouteInput, route } from '../frame/index.js';
import { incomplete, voiceFailureBody } from '../schemas/index.js';
import { chargeFiles, checkAudioLeft, receiveCharged } from './charged-files.js';
import { closeAll, incompleteOf, receiveForm, receivePcm } from './receive-voice.js';
import { VoiceAttempt } from './voice-attempt.js';
import type { VoicePlaces } from './voice-places.js';

/**
 * Ms that a request may last beyond the message's timeout, so that the client gets the message's outcome and not a
 * request timeout.
 */
export const answerMargin = 5000;

/** Returns the schema of a number as text. The handler refuses an invalid number as invalid audio. The schema itself refuses nothing. */
const numeral = (minimum: number, maximum: number, usual: number, description: string) =>
  z
    .string()
    .optional()
    .meta({ description, override: { type: 'integer', minimum, maximum, default: usual } });

const query = z.object({
  language: z.string().max(35).optional().meta({
    description: "Language code, or `multi`. Default: the user's language. In a form it may be a field.",
  }),
  encoding: z
    .string()
    .max(35)
    .optional()
    .meta({ description: 'Encoding of PCM. Only `linear16`, the default.' }),
  sample_rate: numeral(8000, 48_000, 16_000, 'Sample rate of PCM in Hz.'),
  channels: numeral(1, 2, 1, 'Of PCM.'),
  keywords: z.string().max(9000).optional().meta({
    description:
      'Up to 100 names and terms that may occur, separated by commas. In a form it may be a field.',
  }),
});

const answer = z
  .object({
    transcript: z.string(),
    outcome: z.enum(['success', 'expected_silence']),
    stt_provider: z.string(),
    stt_model: z.string(),
    language: z.string().nullable().meta({
      description:
        'The language of most of the speech. null if the request allowed any language and none was detected.',
    }),
    incomplete,
  })
  .meta({ id: 'VoiceTranscript' });

/** Errors of every route of voice messages. */
export const voiceErrors = [
  'stt_invalid_input',
  'stt_empty_unexpected',
  'stt_upstream_error',
  'stt_provider_configuration_error',
  'stt_timeout',
  'voice_full',
  'body_too_large',
] as const;

/** The input of a route that receives audio itself. */
export type AudioInput<Query> = Pick<
  RouteInput<undefined, Query, undefined, undefined>,
  'caller' | 'query' | 'request' | 'reply'
>;

/** Receives and transcribes the files of a message. A failure gets an ordinary error answer. */
const transcribeFiles = async (
  { sql, settings, limits, voice, voiceMetrics }: RouteContext,
  places: VoicePlaces,
  { caller: { uid }, query: asked, request, reply }: AudioInput<z.output<typeof query>>,
): Promise<z.input<typeof answer>> => {
  const isPcm = /^application\/octet-stream\b/i.test(request.headers['content-type'] ?? '');
  const leave = places.enter(uid);
  const attempt = new VoiceAttempt(
    {
      metrics: voiceMetrics,
      route: isPcm ? 'voice_rest_pcm' : 'voice_rest_multipart',
      timeout: settings.voiceTimeout,
      provider: voice?.provider ?? 'unknown',
    },
    request,
    reply,
  );
  const { signal } = attempt;
  let files: Awaited<ReturnType<typeof receivePcm>> = [];
  try {
    if (voice === null) throw new CochleaError('stt_provider_configuration_error');
    const charged = { limits, uid, request };
    await checkAudioLeft(charged);
    const spoken = await receiveCharged(charged, async (spent) => {
      const receiving = { staging: { ...voice, signal, user: uid, spent }, bytes: settings.voiceSize };
      let { language: named, keywords: words } = asked;
      if (isPcm) files = await receivePcm(request.raw, receiving, asked);
      else {
        const form = await receiveForm(request.raw, receiving, false);
        files = form.files;
        named = form.language ?? named;
        words = form.keywords ?? words;
      }
      const spoken = await voiceLanguage(sql, voice, uid, named);
      const keywords = await voiceKeywords(sql, uid, words);
      await chargeFiles(charged, spent);
      return { ...spoken, keywords };
    });
    const texts: string[] = [];
    const providers: string[] = [];
    const models: (string | undefined)[] = [];
    const detected = new DetectedLanguages();
    const served = ({ provider, model, language, samples }: ServedUtterance): void => {
      providers.push(provider);
      models.push(model);
      detected.add(language, samples);
    };
    for (const file of files) {
      const asked = { uid, id: randomUUID(), ...spoken, signal, served };
      texts.push(await transcribeVoice(voice, asked, file));
    }
    const { language } = spoken;
    const provider = providers[0] ?? voice.transcription.for(language)?.name ?? voice.provider;
    const transcript = texts.filter((text) => text !== '').join(' ');
    const outcome = transcript === '' ? ('expected_silence' as const) : ('success' as const);
    attempt.end(outcome, provider);
    return {
      transcript,
      outcome,
      stt_provider: provider,
      stt_model: models[0] ?? voice.transcription.modelOf(provider) ?? 'unknown',
      language: language === automaticLanguage ? detected.most : language,
      incomplete: incompleteOf(files),
    };
  } catch (thrown) {
    attempt.answerFailure(thrown);
    return undefined as never;
  } finally {
    await closeAll(files);
    leave();
  }
};

/** Declares the route that transcribes complete voice messages while a client waits. */
export const voiceTranscription = (context: RouteContext, places: VoicePlaces): Route =>
  route({
    method: 'POST',
    url: voiceTranscriptionPath,
    operationId: 'transcribeVoiceMessage',
    tag: 'Voice messages',
    summary: 'Transcribe a voice message',
    description:
      'Takes PCM as the body (`application/octet-stream`), or a form with files: audio files of the usual forms (WAV, AIFF, CAF, FLAC, Ogg, WebM, MP4, M4A, AAC, MP3, AMR), or `.bin` files of frames. The texts of several files are joined. Silence is a success without text. A failure has the five members of `VoiceFailure`.',
    access: firstParty,
    limits: ['voice:transcribe'],
    upload: { field: 'files', description: 'An audio file.', raw: 'PCM of 16 bits, little endian.' },
    failureBody: voiceFailureBody,
    withoutTurn: true,
    timeout: context.settings.voiceTimeout + answerMargin,
    errors: voiceErrors,
    query,
    answer,
    example: {
      answer: {
        transcript: 'Remind me to call the dentist.',
        outcome: 'success',
        stt_provider: 'local',
        stt_model: 'moonshine-base',
        language: 'en',
      },
    },
    handle: (input) => transcribeFiles(context, places, input),
  });
