import { z } from 'zod';
import { type StagedAudio, stageFile } from '../../audio/files/index.js';
import { anySignal } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  checkVoicesAllowed,
  deleteSpeechProfile,
  enrolSpeech,
  findSpeechProfile,
} from '../../service/voice/index.js';
import type { Sql } from '../../store/client/index.js';
import { enrolmentPath } from '../../wire/index.js';
import { firstParty, ownData } from '../access/index.js';
import { departureOf } from '../chat/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { incomplete } from '../schemas/index.js';
import { receiveFiles } from '../uploads/index.js';
import { checkAudioLeft, withWorkCharged } from './charged-files.js';
import { closeAll, incompleteOf } from './receive-voice.js';
import type { VoicePlaces } from './voice-places.js';

const tag = 'Speech profile';

const url = z.null().meta({ description: 'Always null, because the recording is not stored.' });
const status = z
  .object({
    has_profile: z.boolean(),
    speech_seconds: z
      .number()
      .nullable()
      .meta({ description: 'Seconds of speech in the recording of the profile.' }),
    created_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SpeechProfile' });
const example = { has_profile: true, speech_seconds: 18.4, created_at: '2026-03-01T10:00:00.000Z' };

const statusOf = async (sql: Sql, uid: string): Promise<z.infer<typeof status>> => {
  const profile = await findSpeechProfile(sql, uid);
  return {
    has_profile: profile !== null,
    speech_seconds: profile && profile.speech / 1000,
    created_at: profile?.createdAt.toISOString() ?? null,
  };
};

const uploadSpeechProfileRoute = (
  { sql, settings, limits, enrolment }: RouteContext,
  places: VoicePlaces,
): Route =>
  route({
    method: 'POST',
    url: enrolmentPath,
    operationId: 'uploadSpeechProfile',
    tag,
    summary: "Make the user's voice profile",
    description:
      'Takes a form with one audio file in which only the user speaks. File formats are the same as for voice messages. The new voice profile replaces an earlier one; the recording is not stored. Use at least 20 s of speech; at most 30 s are read.',
    access: firstParty,
    limits: ['voice:enrol'],
    upload: { field: 'file', description: 'An audio file.' },
    withoutTurn: true,
    timeout: settings.voiceTimeout,
    errors: [
      'voice_recognition_off',
      'voice_profile_short',
      'voice_profile_unavailable',
      'voice_full',
      'body_too_large',
      'multipart_invalid',
      'recording_name_invalid',
      'recording_invalid',
      'recording_too_long',
      'codec_unavailable',
      'record_not_found',
    ],
    answer: status.extend({ url, incomplete }),
    example: { answer: { ...example, url: null } },
    handle: async ({ caller: { uid }, request, reply }) => {
      if (enrolment === null) throw new CochleaError('voice_recognition_off');
      const leave = places.enter(uid);
      const files: StagedAudio[] = [];
      try {
        await checkVoicesAllowed(sql, uid);
        const signal = anySignal(departureOf(reply), AbortSignal.timeout(settings.voiceTimeout));
        const bounds = { bytes: settings.voiceSize, files: 1 };
        const charged = { limits, uid, request };
        await checkAudioLeft(charged);
        await withWorkCharged(charged, async (spent) => {
          const staging = { ...enrolment, signal, user: uid, spent };
          await receiveFiles(request.raw, bounds, async (name, pieces) => {
            files.push(await stageFile(staging, name, pieces));
          });
          const [audio] = files;
          if (audio === undefined) throw new CochleaError('multipart_invalid', { why: 'it has no files' });
          await enrolSpeech(sql, enrolment, { uid, audio, signal });
        });
        return { ...(await statusOf(sql, uid)), url: null, incomplete: incompleteOf(files) };
      } finally {
        await closeAll(files);
        leave();
      }
    },
  });

const hasSpeechProfileRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v3/speech-profile',
    operationId: 'hasSpeechProfile',
    tag,
    summary: 'Whether the user has a voice profile',
    ...ownData.read,
    answer: z.object({ has_profile: z.boolean() }),
    example: { answer: { has_profile: true } },
    handle: async ({ caller }) => ({ has_profile: (await findSpeechProfile(sql, caller.uid)) !== null }),
  });

const getSpeechProfileRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v3/speech-profile/status',
    operationId: 'getSpeechProfile',
    tag,
    summary: "The age of the user's voice profile and the amount of its speech",
    ...ownData.read,
    answer: status,
    example: { answer: example },
    handle: ({ caller }) => statusOf(sql, caller.uid),
  });

const getSpeechProfileRecordingRoute = (): Route =>
  route({
    method: 'GET',
    url: '/v4/speech-profile',
    operationId: 'getSpeechProfileRecording',
    tag,
    summary: "The recording of the user's voice profile, which is never stored",
    ...ownData.read,
    answer: z.object({ url }),
    example: { answer: { url: null } },
    handle: async () => ({ url: null }),
  });

const deleteSpeechProfileRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'DELETE',
    url: '/v3/speech-profile',
    operationId: 'deleteSpeechProfile',
    tag,
    summary: "Delete the user's voice profile",
    ...ownData.write,
    handle: ({ caller }) => deleteSpeechProfile(sql, caller.uid),
  });

/** Returns the routes for the voice profile that recognises a user in streams. */
export const speechProfileRoutes = (context: RouteContext, places: VoicePlaces): readonly Route[] => [
  uploadSpeechProfileRoute(context, places),
  hasSpeechProfileRoute(context),
  getSpeechProfileRoute(context),
  getSpeechProfileRecordingRoute(),
  deleteSpeechProfileRoute(context),
];
