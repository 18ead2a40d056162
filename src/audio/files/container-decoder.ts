import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import pLimit from 'p-limit';
import { CochleaError } from '../../errors/index.js';
import { ScratchFile } from './scratch-file.js';
import type { Container } from './sniff.js';

/**
 * Decodes the audio of a file as mono PCM of 16 bits and 16 kHz. The caller closes the file that it is given, and the one that it gets.
 * @param signal gives it up.
 * @throws CochleaError stt_provider_configuration_error where nothing on this machine can, recording_invalid, recording_too_long
 */
export type DecodeContainer = (
  file: ScratchFile,
  container: Container,
  longest: number,
  signal: AbortSignal,
) => Promise<ScratchFile>;

/** Names of demuxers: each file is read as what its first bytes say, so that none is taken for a list of other files. */
const demuxers: Readonly<Record<Container, string>> = {
  wav: 'wav',
  ogg: 'ogg',
  webm: 'matroska',
  mp4: 'mp4',
  mp3: 'mp3',
};
/** Decoders that are tried: what people record with, and no video. */
const decoders =
  'aac,aac_fixed,mp3float,mp3,opus,libopus,vorbis,libvorbis,flac,alac,pcm_s16le,pcm_s24le,pcm_f32le';

/** Of a child: seconds of processor time, KiB of address space (where the system has such a bound), ms in all. */
const processorTime = 60;
const addressSpace = 1_048_576;
const wallTime = 120_000;
/** Children at once. */
const atOnce = 2;
const rate = 16_000;

/**
 * Bounds of a child, which it cannot raise: no core files, no files at all, processor time, memory. The system's shell sets them, because
 * Node cannot.
 */
const bounded =
  'ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; shift 2; exec nice -n 10 "$@"';

/** The path of a program, by its name or path; null where there is none that may be run. */
export const findProgram = async (name: string): Promise<string | null> => {
  const places = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const place of places) {
    const path = join(place, name);
    const mayRun = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (mayRun) return path;
  }
  return null;
};

const argumentsFor = (container: Container, longest: number): string[] => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-protocol_whitelist', 'file,pipe'],
  ...['-codec_whitelist', decoders, '-threads', '1', '-f', demuxers[container], '-i', '/dev/stdin'],
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-t', String(longest / 1000 + 1)],
  ...['-ac', '1', '-ar', String(rate), '-threads', '1', '-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'],
];

const decodeWith = async (
  program: string,
  file: ScratchFile,
  container: Container,
  longest: number,
  folder: string,
  signal: AbortSignal,
): Promise<ScratchFile> => {
  signal.throwIfAborted();
  const decoded = await ScratchFile.create(folder);
  const words = [program, ...argumentsFor(container, longest)];
  const child = spawn(
    '/bin/sh',
    ['-c', bounded, 'decode', String(processorTime), String(addressSpace), ...words],
    {
      // It reads the file by the descriptor, which is all that it is given of this process.
      stdio: [file.descriptor, 'pipe', 'ignore'],
      cwd: '/',
      env: { PATH: process.env.PATH },
    },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  ended.catch(() => undefined);
  const end = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(end, wallTime);
  signal.addEventListener('abort', end);
  try {
    const most = Math.ceil((longest / 1000) * rate * 2);
    for await (const piece of child.stdout!) {
      if (decoded.size + (piece as Buffer).length > most) throw new CochleaError('recording_too_long');
      await decoded.append(piece as Buffer);
    }
    const code = await ended;
    signal.throwIfAborted();
    if (code !== 0) throw new CochleaError('recording_invalid', { why: 'it cannot be decoded' });
    return decoded;
  } catch (error) {
    await decoded.close();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  }
};

/**
 * Decodes files that the core does not with a program of the system, ffmpeg, in a child of its own whose time, memory and output are bounded,
 * that writes no file and opens no connection. It is looked for each time: it may be installed while the service runs.
 * @param program name or path.
 * @param folder of files without names.
 */
export const containerDecoder = (program: string, folder: string): DecodeContainer => {
  const limit = pLimit(atOnce);
  return (file, container, longest, signal) =>
    limit(async () => {
      const path = await findProgram(program);
      if (path === null) throw new CochleaError('stt_provider_configuration_error');
      return decodeWith(path, file, container, longest, folder, signal);
    });
};
