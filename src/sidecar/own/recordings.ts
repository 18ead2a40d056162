import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Settings } from '../../config/index.js';
import { CochleaError, type ErrorCode, type ErrorDetails, errorRegistry } from '../../errors/index.js';
import {
  checkUploadTarget,
  queueUpload,
  type ReceivedUpload,
  type RecordingStore,
  type UploadAudio,
  UploadReceiver,
  uploadProgress,
} from '../../service/recordings/index.js';
import type { IncompleteFile } from '../../store/uploads/index.js';
import { uploadPath } from '../../wire/index.js';
import { firstParty } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { incomplete } from '../schemas/index.js';
import { receiveFiles } from '../uploads/index.js';
import { chargeRecorded, checkRecordedLeft, uploadAudio } from './recorded-audio.js';

/** Maximum number of files in an upload. */
const mostFiles = 200;
/** Ms after which a client should request the status again. */
const pollAfter = 5000;
export const exampleAccepted = {
  job_id: '7d1f2c64-3f3e-4c0c-9b0d-5d8b4b7a9e11',
  status: 'queued' as const,
  total_files: 1,
  total_segments: 0,
  poll_after_ms: pollAfter,
  errors: [],
};

const jobAnswer = z.object({
  job_id: z.uuid(),
  status: z.enum(['queued', 'processing', 'completed', 'partial_failure', 'failed']).meta({
    description:
      '`completed`, `partial_failure` and `failed` are final; a file that failed can be uploaded again.',
  }),
  total_files: z.int32().meta({ description: 'Files of the upload, including refused files.' }),
  total_segments: z.int32().meta({ description: 'Utterances in the transcribed files.' }),
  failed_segments: z.int32(),
  new_memories: z.array(z.uuid()).meta({ description: 'Ids of new conversations.' }),
  updated_memories: z.array(z.uuid()).meta({ description: 'Ids of conversations that received words.' }),
  errors: z
    .array(
      z.object({
        file: z.string(),
        code: z.string(),
        message: z.string(),
        remedy: z.string(),
        retryable: z.boolean(),
      }),
    )
    .meta({ description: 'Files that were refused, and files that could not be transcribed.' }),
  incomplete,
  poll_after_ms: z.int32().meta({ description: 'When to ask again. 0 if the status is final.' }),
});

/** The answer to an upload whose files wait for transcription. */
export const acceptedAnswer = jobAnswer.pick({
  job_id: true,
  status: true,
  total_files: true,
  total_segments: true,
  poll_after_ms: true,
  errors: true,
  incomplete: true,
});

/**
 * Returns the error of a file. Removes placeholders without a value from the text. A reason or remedy in `given`
 * replaces the general one.
 */
export const errorOf = (file: string, code: string, given: ErrorDetails) => {
  const known = code in errorRegistry ? (code as ErrorCode) : 'internal';
  const details = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const error = new CochleaError(known, details);
  const plain = (text: string): string => text.replace(/[:,]? ?\{\w+\}/g, '');
  const { message, retryable } = error.entry;
  const { why, remedy = plain(error.remedy) } = details;
  const isTold = why === undefined || message.includes('{why}');
  const text = isTold ? plain(error.message) : `${error.message.replace(/\.$/, '')}: ${why}`;
  return { file, code, message: text, remedy: String(remedy), retryable };
};

/** Explains why audio is missing. Names the files if there are several. Returns undefined if nothing seems to be missing. */
const incompleteOf = (files: readonly IncompleteFile[], count: number): string | undefined =>
  files.length === 0
    ? undefined
    : files.map(({ name, why }) => (count === 1 ? why : `${name}: ${why}`)).join('; ');

const refusedOf = ({ refused }: Pick<ReceivedUpload, 'refused'>) =>
  refused.map(({ name, code, details }) => errorOf(name, code, details));

/** Returns the answer to an upload that was queued as the job `id`. */
export const acceptedUpload = (id: string, upload: ReceivedUpload): z.input<typeof acceptedAnswer> => {
  const count = upload.received.length + upload.refused.length;
  return {
    ...exampleAccepted,
    job_id: id,
    total_files: count,
    errors: refusedOf(upload),
    incomplete: incompleteOf(upload.incomplete, count),
  };
};

/**
 * Receives the files of a form. Returns the valid and the refused files. If the form itself is invalid, or if `charge`
 * fails, keeps none of them.
 */
const receiveAll = async (
  { files }: RecordingStore,
  { uploadSize }: Settings,
  request: IncomingMessage,
  audio: UploadAudio,
  charge: (upload: ReceivedUpload) => Promise<void>,
): Promise<ReceivedUpload> => {
  const receiver = new UploadReceiver(files, audio);
  try {
    await receiveFiles(request, { bytes: uploadSize, files: mostFiles }, (name, pieces) =>
      receiver.take(name, pieces),
    );
    const upload = receiver.result();
    await charge(upload);
    return upload;
  } catch (error) {
    await receiver.discard();
    throw error;
  }
};

/**
 * Admits an upload of a user.
 * @returns the bytes that are reserved for its body, and a function to call when the upload has ended.
 * @throws CochleaError uploads_full, recordings_full
 */
export const admitUpload = async (
  { sql, settings, uploads }: RouteContext,
  { files: { place } }: RecordingStore,
  uid: string,
  { headers }: FastifyRequest,
): Promise<{ readonly bytes: number; readonly leave: () => void }> => {
  const declared = Number(headers['content-length'] ?? settings.uploadSize);
  const bytes = Math.min(declared, settings.uploadSize);
  return { bytes, leave: await uploads.admit({ sql, settings, place }, uid, bytes) };
};

const uploadRecordingsRoute = (context: RouteContext): Route => {
  const { sql, settings, recordings, clock, limits } = context;
  return route({
    method: 'POST',
    url: uploadPath,
    operationId: 'uploadRecordings',
    tag: 'Recordings',
    summary: 'Upload offline recordings',
    description:
      'Each file contains frames, each after its length (4 bytes, little endian). Its name is audio_DEVICE_CODEC_RATE_CHANNELS_SECONDS.bin. Some time after the answer, its words are added to the conversation of that time, or to a new one. A file that was uploaded before is not transcribed again. An invalid file does not affect the others: `errors` names it. If no file is valid, the status is 400.',
    access: firstParty,
    limits: ['recordings:upload'],
    upload: {
      field: 'files',
      description: 'A recording. Its name contains its start and its codec.',
    },
    status: 202,
    withoutTurn: true,
    timeout: settings.uploadTimeout,
    errors: [
      'recording_name_invalid',
      'recording_invalid',
      'recording_too_long',
      'recordings_full',
      'uploads_full',
      'storage_unavailable',
      'conversation_not_found',
      'stt_provider_configuration_error',
    ],
    query: z.object({
      conversation_id: z.uuid().optional().meta({ description: 'Adds the words to this conversation.' }),
    }),
    answer: acceptedAnswer,
    example: { answer: exampleAccepted },
    handle: async ({ caller: { uid }, query, request }) => {
      if (recordings === null) throw new CochleaError('stt_provider_configuration_error');
      const conversation = query.conversation_id ?? null;
      await checkUploadTarget(sql, uid, conversation);
      const charged = { limits, uid, request };
      await checkRecordedLeft(charged);
      const { leave } = await admitUpload(context, recordings, uid, request);
      try {
        const audio = uploadAudio(limits, settings.recordingLength);
        const received = await receiveAll(recordings, settings, request.raw, audio, (upload) =>
          chargeRecorded(charged, upload.received),
        );
        const id = await queueUpload(sql, recordings, uid, conversation, received, clock.wall());
        return acceptedUpload(id, received);
      } finally {
        leave();
      }
    },
  });
};

const getUploadRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: `${uploadPath}/{job_id}`,
    operationId: 'getUpload',
    tag: 'Recordings',
    summary: 'Progress of uploaded recordings',
    access: firstParty,
    limits: ['recordings:read'],
    resource: { createdBy: 'uploadRecordings', parameter: 'job_id', field: 'job_id', foreign: 404 },
    errors: ['record_not_found'],
    path: z.object({ job_id: z.uuid() }),
    answer: jobAnswer,
    example: {
      path: { job_id: exampleAccepted.job_id },
      answer: {
        ...exampleAccepted,
        status: 'completed',
        total_segments: 12,
        failed_segments: 0,
        new_memories: ['0b1c9a52-6f0e-5d8f-9a56-3b7e3c1d2f4a'],
        updated_memories: [],
        poll_after_ms: 0,
      },
    },
    handle: async ({ caller: { uid }, path }) => {
      const {
        status,
        recordings: files,
        refused,
        incomplete: cut,
      } = await uploadProgress(sql, uid, path.job_id);
      const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
      return {
        job_id: path.job_id,
        status,
        total_files: files.length + refused.length,
        total_segments: sum(files.map(({ segments }) => segments)),
        failed_segments: sum(files.map(({ failed_segments: failed }) => failed)),
        new_memories: [...new Set(files.flatMap(({ new_conversations: made }) => made))],
        updated_memories: [...new Set(files.flatMap(({ updated_conversations: updated }) => updated))],
        errors: [
          ...refusedOf({ refused }),
          ...files.flatMap(({ name, error, error_details: details }) =>
            error === null ? [] : [errorOf(name, error, details)],
          ),
        ],
        incomplete: incompleteOf(cut, files.length + refused.length),
        poll_after_ms: status === 'queued' || status === 'processing' ? pollAfter : 0,
      };
    },
  });

/** Returns the routes that receive recordings that wearables made while offline. */
export const recordingRoutes = (context: RouteContext): readonly Route[] => [
  uploadRecordingsRoute(context),
  getUploadRoute(context),
];
