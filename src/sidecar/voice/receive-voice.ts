import type { IncomingMessage } from 'node:http';
import { type StagedAudio, type StagingOptions, stageFile, stagePcm } from '../../audio/files/index.js';
import { CochleaError } from '../../errors/index.js';
import { receiveFiles } from '../uploads/index.js';

/** Maximum number of files of a voice message. */
const mostFiles = 10;

/** A received voice message. Its files stay on disk until the caller closes them. */
export interface ReceivedVoice {
  readonly files: readonly StagedAudio[];
  /** The language that the client declared. */
  readonly language: string | undefined;
  /** Words that the client named, separated by commas. */
  readonly keywords: string | undefined;
}

export interface ReceiveOptions {
  readonly staging: StagingOptions;
  /** Maximum bytes of the body. */
  readonly bytes: number;
}

/** Query parameters that describe PCM samples without a file header. */
export interface PcmQuery {
  readonly encoding?: string | undefined;
  readonly sample_rate?: string | undefined;
  readonly channels?: string | undefined;
}

export const closeAll = async (files: readonly StagedAudio[]): Promise<void> => {
  await Promise.all(files.map((file) => file.close()));
};

/** Explains why audio is missing. If there are several files, numbers them from 1. Returns undefined if nothing seems to be missing. */
export const incompleteOf = (files: readonly StagedAudio[]): string | undefined => {
  const reasons = files.flatMap(({ incomplete }, index) =>
    incomplete === null ? [] : [files.length === 1 ? incomplete : `file ${index + 1}: ${incomplete}`],
  );
  return reasons.length === 0 ? undefined : reasons.join('; ');
};

const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/** Reads a numeric query parameter of PCM. @param least minimum. @param most maximum. */
const wholeNumber = (
  name: string,
  text: string | undefined,
  { usual, least, most }: { readonly usual: number; readonly least: number; readonly most: number },
): number => {
  if (text === undefined) return usual;
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw invalid(`${name} is ${least} to ${most}`);
  return value;
};

/** Yields the pieces of a body, up to a maximum size. If reading ends early, the body stays open, so that an answer can be sent. */
export async function* bodyOf(
  request: IncomingMessage,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tooLarge = (): CochleaError => new CochleaError('body_too_large', { limit: bytes });
  if (Number(request.headers['content-length'] ?? 0) > bytes) throw tooLarge();
  let received = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    received += (piece as Buffer).length;
    if (received > bytes) throw tooLarge();
    yield piece as Buffer;
  }
}

/** Reads the format of PCM from query parameters. @throws CochleaError recording_invalid */
export const pcmFormat = ({
  encoding = 'linear16',
  sample_rate,
  channels,
}: PcmQuery): { readonly rate: number; readonly channels: 1 | 2 } => {
  if (encoding.toLowerCase() !== 'linear16') throw invalid('encoding is linear16');
  const rate = wholeNumber('sample_rate', sample_rate, { usual: 16_000, least: 8000, most: 48_000 });
  const count = wholeNumber('channels', channels, { usual: 1, least: 1, most: 2 });
  return { rate, channels: count === 2 ? 2 : 1 };
};

/**
 * Receives PCM samples without a file header.
 * @throws CochleaError recording_invalid, recording_too_long, body_too_large
 */
export const receivePcm = async (
  request: IncomingMessage,
  { staging, bytes }: ReceiveOptions,
  query: PcmQuery,
): Promise<readonly StagedAudio[]> => {
  const { rate, channels } = pcmFormat(query);
  return [await stagePcm(staging, bodyOf(request, bytes), rate, channels)];
};

/**
 * Receives the files of a form.
 * @param onlyFrames whether only `.bin` files with frames are accepted.
 * @throws CochleaError as in `receiveFiles` and `stageFile`
 */
export const receiveForm = async (
  request: IncomingMessage,
  { staging, bytes }: ReceiveOptions,
  onlyFrames: boolean,
): Promise<ReceivedVoice> => {
  const files: StagedAudio[] = [];
  try {
    const { fields } = await receiveFiles(request, { bytes, files: mostFiles }, async (name, pieces) => {
      if (onlyFrames && !name.endsWith('.bin')) throw invalid('it is not a .bin file of frames');
      files.push(await stageFile(staging, name, pieces));
    });
    if (files.length === 0) throw invalid('the form has no files');
    return { files, language: fields.get('language'), keywords: fields.get('keywords') };
  } catch (error) {
    await closeAll(files);
    throw error;
  }
};
