import { z } from 'zod';
import { findProgram, type SpentTime, type StagedAudio, stageFile } from '../../audio/files/index.js';
import { acceptedEndings } from '../../audio/sniff/index.js';
import { CochleaError, type ErrorCode } from '../../errors/index.js';
import {
  checkStart,
  importRecording,
  queueUpload,
  type ReceivedRecording,
  storedBytes,
} from '../../service/recordings/index.js';
import { incompleteFiles } from '../../store/uploads/index.js';
import { importPath } from '../../wire/index.js';
import { sessionWrites } from '../access/index.js';
import { departureOf } from '../chat/index.js';
import { type Route, type RouteContext, type RouteInput, route } from '../frame/index.js';
import {
  acceptedAnswer,
  acceptedUpload,
  admitUpload,
  chargeRecorded,
  checkRecordedLeft,
  errorOf,
  exampleAccepted,
} from '../own/index.js';
import { dateTime } from '../schemas/index.js';
import { receiveFiles } from '../uploads/index.js';
import { checkAudioLeft, withWorkCharged } from '../voice/index.js';
import { consoleReads } from './shared-routes.js';

/**
 * Every file gets this name when it is stored for decoding, so that only its content decides its format. The file's own
 * name could mark it as a file of frames (`.bin`). Names of such files also contain the start of the recording, but
 * here the user states the start.
 */
const plainName = 'audio';

const query = z.object({
  started_at: dateTime.meta({ description: 'When the recording began.' }),
});

const answer = acceptedAnswer.extend({
  job_id: z.uuid().nullable().meta({ description: 'null if the file was refused.' }),
});

/** Errors that the file itself causes. The answer says what to do about them. */
const ofTheFile: ReadonlySet<ErrorCode> = new Set([
  'recording_name_invalid',
  'recording_invalid',
  'recording_too_long',
]);

/** Replaces the general remedy, which also describes files of frames. Users of the console have no such files. */
const fileRemedy = 'Choose a whole audio file.';

type ImportInput = Pick<
  RouteInput<undefined, z.output<typeof query>, undefined, undefined>,
  'caller' | 'query' | 'request' | 'reply'
>;

/** Decodes and stores the file of a form. @param reserved bytes of space that are already reserved for the upload. */
const receive = async (
  { sql, settings, recordings, uploads, voice, clock, limits }: RouteContext,
  { caller: { uid }, query, request, reply }: ImportInput,
  reserved: number,
  spent: SpentTime,
): Promise<ReceivedRecording> => {
  if (recordings === null || voice === null) throw new CochleaError('stt_provider_configuration_error');
  const { files } = recordings;
  const startedAt = query.started_at.getTime();
  const staging = {
    ...voice,
    longest: settings.recordingLength,
    user: uid,
    signal: departureOf(reply),
    spent,
  };
  const store = async (name: string, staged: StagedAudio): Promise<void> => {
    const storage = { sql, settings, place: files.place };
    const needed = storedBytes(staged, reserved);
    // More space would not help, because the recording alone exceeds a limit.
    if (needed > Math.min(settings.recordingsUserSize, settings.recordingsSize))
      throw new CochleaError('recording_too_long');
    // Reserves only the bytes beyond `reserved`, because the uploaded file is deleted when the recording is complete.
    const free = await uploads.reserve(storage, uid, Math.max(0, needed - reserved));
    try {
      await chargeRecorded({ limits, uid, request }, [{ counted: staged.duration }]);
      received = await importRecording(files, staged, { name, startedAt });
    } finally {
      free();
    }
  };
  let received: ReceivedRecording | undefined;
  try {
    await receiveFiles(request.raw, { bytes: settings.uploadSize, files: 1 }, async (name, pieces) => {
      checkStart(startedAt, clock.wall());
      const staged = await stageFile(staging, plainName, pieces);
      try {
        await store(name, staged);
      } finally {
        await staged.close();
      }
    });
  } catch (error) {
    // The error may come after the file was stored, for example if the form has a second file.
    if (received !== undefined) await files.remove(received.file);
    throw error;
  }
  if (received === undefined) throw new CochleaError('multipart_invalid', { why: 'it has no files' });
  return received;
};

const importRoute = (context: RouteContext): Route => {
  const { sql, settings, recordings, limits, clock } = context;
  return route({
    method: 'POST',
    url: importPath,
    operationId: 'consoleImportAudio',
    tag: 'Recordings',
    summary: 'Import an audio file',
    description:
      'The form has one file. Its words are added to the conversation of its time, or to a new one, some time after the answer. A refused file has no job, and `errors` says why.',
    access: sessionWrites,
    limits: ['console:write', 'recordings:upload'],
    upload: { field: 'files', description: 'An audio file.' },
    status: 202,
    withoutTurn: true,
    timeout: settings.uploadTimeout,
    errors: ['recordings_full', 'uploads_full', 'storage_unavailable', 'stt_provider_configuration_error'],
    query,
    answer,
    example: { query: { started_at: '2026-01-01T09:00:00Z' }, answer: exampleAccepted },
    handle: async (input) => {
      const { caller, request } = input;
      const { uid } = caller;
      if (recordings === null) throw new CochleaError('stt_provider_configuration_error');
      const { bytes, leave } = await admitUpload(context, recordings, uid, request);
      try {
        const charged = { limits, uid, request };
        await checkAudioLeft(charged);
        await checkRecordedLeft(charged);
        return await withWorkCharged(charged, async (spent) => {
          const recording = await receive(context, input, bytes, spent);
          const incomplete = incompleteFiles([recording]);
          const upload = { received: [recording], refused: [], incomplete };
          return acceptedUpload(await queueUpload(sql, recordings, uid, null, upload, clock.wall()), upload);
        });
      } catch (error) {
        if (!(error instanceof CochleaError) || !ofTheFile.has(error.code)) throw error;
        const details =
          error.code === 'recording_invalid' ? { ...error.details, remedy: fileRemedy } : error.details;
        const refused = errorOf('', error.code, details);
        return {
          ...exampleAccepted,
          job_id: null,
          status: 'failed' as const,
          poll_after_ms: 0,
          errors: [refused],
        };
      } finally {
        leave();
      }
    },
  });
};

const importLimitsRoute = ({ settings, recordings, voice }: RouteContext): Route =>
  route({
    ...consoleReads,
    method: 'GET',
    url: importPath,
    operationId: 'consoleImportLimits',
    tag: 'Recordings',
    summary: 'Which audio files can be imported',
    answer: z.object({
      endings: z.array(z.string()).meta({
        description: 'Usual endings of the names of such files. Empty if no provider can transcribe files.',
      }),
      bytes: z.int().meta({ description: 'Maximum size of a file.' }),
      seconds: z.int().meta({ description: 'Maximum duration of its audio.' }),
    }),
    example: { answer: { endings: ['wav', 'ogg', 'mp3'], bytes: 209_715_200, seconds: 14_400 } },
    handle: async () => ({
      endings:
        recordings === null || voice === null
          ? []
          : [...acceptedEndings((await findProgram(settings.ffmpeg)) !== null)],
      bytes: settings.uploadSize,
      seconds: Math.floor(settings.recordingLength / 1000),
    }),
  });

/** Returns the routes that import audio files. */
export const importRoutes = (context: RouteContext): readonly Route[] => [
  importLimitsRoute(context),
  importRoute(context),
];
