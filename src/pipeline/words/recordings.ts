import { findingOfFile } from '../../audio/readability/index.js';
import type { DecodedFrames, RecordingDecoder } from '../../audio/recording/index.js';
import { anySignal } from '../../common/index.js';
import { asError, CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { RecordingFiles } from '../../service/recordings/index.js';
import { isDatabaseAway, type Sql } from '../../store/client/index.js';
import {
  adoptRecordings,
  type ClaimedRecording,
  claimRecording,
  endTranscription,
  extendClaim,
  giveUpRecording,
  neededFiles,
  postponeRecording,
  type RecordedWords,
} from '../../store/conversations/index.js';
import { baseLanguage, type SpeakerLanguages } from '../../stt/providers/index.js';
import type { TranscriptionClient, TranscriptionResult } from '../../stt/shared/index.js';
import { isStorageAway } from '../../stt/storage/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { retryLimit } from '../work/index.js';
import { speechRequest } from './speech-request.js';

/**
 * A function that moves recordings that were written before the bucket was set. Its parameters are those of
 * `moveRecordings`.
 * @returns the number of moved recordings.
 */
export type MoveEarlier = (
  needed: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  moved: (id: string) => Promise<void>,
  before: number,
) => Promise<number>;

/** The dependencies of the jobs for uploaded recordings. */
export interface RecordingWork {
  readonly files: RecordingFiles;
  /**
   * Moves recordings from the data folder to the bucket. These recordings were written before the bucket was set. Null
   * if there is no bucket.
   */
  readonly moveEarlier: MoveEarlier | null;
  readonly decoder: RecordingDecoder;
  readonly transcription: TranscriptionClient;
  /** Returns the languages that a user may speak. */
  readonly speakerLanguages: SpeakerLanguages;
}

export interface RecordingContext extends RecordingWork {
  readonly sql: Sql;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Outcome of an attempt. `postponed`: the attempt could not run yet. `lost`: another attempt took the recording, or
 * the recording was deleted.
 */
export type RecordingOutcome = 'transcribed' | 'silent' | 'dead' | 'postponed' | 'lost';

/**
 * Seconds for which a worker reserves a recording. The worker extends this time again and again. If its process fails,
 * another worker takes the recording when the time has passed.
 */
const lease = 60;
/** Ms between two extensions of this time. */
const leaseExtension = 15_000;
/** Maximum number of utterances of one recording that are transcribed at the same time. */
const atOnce = 4;
/** Seconds before a retry if no provider can transcribe now. */
const awayPause = 15;
/** Seconds before a retry after the first failed attempt. The pause doubles after each further failed attempt. */
const firstPause = 5;
/** Number of samples in one ms. Positions of utterances count samples at 16 kHz. */
const samplesOfMs = 16;
/** Maximum share of invalid frames. If the share is larger, the file does not have the format that it claims. */
const mostInvalid = 0.5;

/** Takes a recording and transcribes it. @returns null when no recording is due. */
export const nextRecording = async (context: RecordingContext): Promise<RecordingOutcome | null> => {
  const claimed = await claimRecording(context.sql, context.files.place, lease);
  return claimed && transcribeRecording(context, claimed);
};

class Away extends Error {}

interface Spoken {
  readonly from: number;
  readonly to: number;
  readonly result: TranscriptionResult;
}

/** Decodes the file and transcribes its speech. A few utterances are transcribed at a time, as fast as the service accepts them. */
const transcribeAll = async (
  context: RecordingContext,
  claimed: ClaimedRecording,
  signal: AbortSignal,
): Promise<Spoken[]> => {
  const { id, uid, codec, sample_rate: sampleRate, channels, started_at: startedAt } = claimed;
  const { decoder, files, transcription } = context;
  const language = baseLanguage(claimed.language ?? '');
  const spoken: Promise<Spoken>[] = [];
  const request = await speechRequest(context, { user: uid, stream: `recording/${id}`, language, signal });
  const wall = (position: number): number => startedAt.getTime() + position / samplesOfMs;
  const decoding = decoder.decode({ codec, sampleRate, channels }, files.read(claimed.file));
  try {
    for (;;) {
      const { value, done } = await decoding.next();
      signal.throwIfAborted();
      if (done) {
        checkDecoded(value, { codec, sampleRate, channels });
        const all = await Promise.all(spoken);
        for (const one of all) checkAnswered(one, language);
        return all;
      }
      const { pcm, speechStart, speechEnd, probability: detected } = value;
      const [from, to] = [wall(speechStart), wall(speechEnd)];
      spoken.push(
        transcription.transcribe({ ...request, pcm, detected }).then((result) => ({ from, to, result })),
      );
      const earliest = spoken.length < atOnce ? undefined : await spoken.at(-atOnce);
      if (earliest !== undefined) checkAnswered(earliest, language);
    }
  } finally {
    await decoding.return({ decoded: 0, invalid: 0 });
  }
};

/** Checks that most frames were decoded. @throws CochleaError stt_invalid_input with a finding about the file and a remedy. */
const checkDecoded = ({ decoded, invalid, finding }: DecodedFrames, format: StreamFormat): void => {
  if (finding !== undefined)
    throw new CochleaError('stt_invalid_input', { ...findingOfFile(finding, format) });
  const frames = decoded + invalid;
  if (invalid > frames * mostInvalid)
    throw new CochleaError('stt_invalid_input', { why: `${invalid} of its ${frames} frames do not decode` });
};

/**
 * Checks an answer of the service.
 * @throws Away, CochleaError language_unsupported. Each error means that the other utterances cannot be transcribed
 *   either.
 */
const checkAnswered = ({ result }: Spoken, language: string): void => {
  if (result.reason === 'language') throw new CochleaError('language_unsupported', { language });
  if (isAway(result)) throw new Away();
};

const isAway = ({ rejected, outcome }: TranscriptionResult): boolean =>
  rejected !== undefined || outcome === 'config_error';
const isFailed = ({ outcome }: TranscriptionResult): boolean =>
  outcome === 'timeout' || outcome === 'upstream_error';
const codeOfFailure = ({ outcome }: TranscriptionResult): 'stt_timeout' | 'stt_upstream_error' =>
  outcome === 'timeout' ? 'stt_timeout' : 'stt_upstream_error';

const transcribeRecording = async (
  context: RecordingContext,
  claimed: ClaimedRecording,
): Promise<RecordingOutcome> => {
  const { files, log, sql, signal } = context;
  const { id, attempts } = claimed;
  // If the file crashes the process, the attempt reports no error. This condition limits the number of such attempts.
  if (attempts > retryLimit + 1) return giveUp(context, id, new CochleaError('internal'));
  const lost = new AbortController();
  const timer = setInterval(() => {
    extendClaim(sql, id, attempts, lease).then(
      (mine) => mine || lost.abort(),
      () => undefined,
    );
  }, leaseExtension);
  try {
    const spoken = await transcribeAll(context, claimed, anySignal(signal, lost.signal));
    if (signal.aborted) throw new Away();
    const failed = spoken.filter(({ result }) => isFailed(result));
    const cause = failed[0] && codeOfFailure(failed[0].result);
    // Utterances that fail even in the last attempt are left out. The words of the other utterances are stored.
    if (cause !== undefined && (attempts <= retryLimit || failed.length === spoken.length))
      throw new CochleaError(cause);
    const words = spoken
      .filter(({ result }) => result.text !== '')
      .map(
        ({ from, to, result: { text, provider, model } }): RecordedWords => ({
          text,
          from,
          to,
          provider,
          ...(model === undefined ? {} : { model }),
        }),
      );
    const counts = { segments: spoken.length, failed: failed.length, error: cause ?? null };
    if (!(await endTranscription(sql, claimed, words, counts))) return 'lost';
    // The words are stored, so a failure here does not matter. A later search removes the file.
    await files
      .remove(claimed.file)
      .catch((error: unknown) => log.warn({ err: error }, 'the file of a recording is not removed yet'));
    log.info({ recording: id, segments: spoken.length, failed: failed.length }, 'a recording is transcribed');
    return words.length === 0 ? 'silent' : 'transcribed';
  } catch (error) {
    if (lost.signal.aborted) return 'lost';
    if (error instanceof Away || signal.aborted) {
      await postponeRecording(sql, claimed, signal.aborted ? 0 : awayPause, false);
      return 'postponed';
    }
    if (isDatabaseAway(error)) throw error;
    if (isStorageAway(error)) {
      log.warn({ recording: id, err: error }, 'a recording cannot be read yet');
      await postponeRecording(sql, claimed, awayPause, false);
      return 'postponed';
    }
    const mayRepeat = !(error instanceof CochleaError) || error.entry.retryable;
    if (!mayRepeat || attempts > retryLimit) return giveUp(context, id, asError(error));
    log.warn({ recording: id, err: error }, 'a recording is not transcribed yet');
    await postponeRecording(sql, claimed, firstPause * 2 ** (attempts - 1), true);
    return 'postponed';
  } finally {
    clearInterval(timer);
  }
};

const giveUp = async (
  { log, sql }: RecordingContext,
  id: string,
  error: CochleaError,
): Promise<RecordingOutcome> => {
  log.error({ recording: id, code: error.code }, 'a recording is given up');
  await giveUpRecording(sql, id, error.toJSON());
  return 'dead';
};

/**
 * Removes files that no recording needs: files of interrupted uploads, of deleted accounts, and of recordings whose
 * rows were removed. The row of a recording names the storage of its file. If the file of a needed recording is in the
 * storage `files`, the row is updated to name this storage. The name may be wrong, because a folder was moved to
 * another host, or its files to a bucket.
 * @param age ms after which the upload of a file has ended in any case.
 */
export const removeOrphans = async (
  { files, moveEarlier, sql, log }: RecordingContext,
  age: number,
): Promise<void> => {
  const before = Date.now() - age;
  const moved = await moveEarlier?.(
    (ids) => neededFiles(sql, ids),
    (id) => adoptRecordings(sql, files.place, [id]),
    before,
  );
  if (moved) log.info({ files: moved }, 'recordings of the data folder are moved to the bucket');
  const unfinished = await files.removeUnfinished(before);
  if (unfinished > 0) log.info({ files: unfinished }, 'unfinished recordings are removed');
  const old = await files.olderThan(before);
  if (old.length === 0) return;
  const needed = await neededFiles(sql, old);
  await adoptRecordings(sql, files.place, [...needed]);
  const orphans = old.filter((id) => !needed.has(id));
  for (const id of orphans) await files.remove(id);
  if (orphans.length > 0) log.info({ files: orphans.length }, 'unneeded recording files are removed');
};
