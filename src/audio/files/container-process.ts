import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { backgroundNiceness } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Container } from '../sniff/index.js';
import { DescribedAudio } from './described-audio.js';
import type { Sandbox } from './sandbox.js';
import { ScratchFile } from './scratch-file.js';

/** A file for ffmpeg to decode. */
export interface ContainerFile {
  readonly file: ScratchFile;
  readonly container: Container;
  /** Maximum duration of the audio, in ms. */
  readonly longest: number;
  /** Cancels the decoding. */
  readonly signal: AbortSignal;
}

/**
 * Names of ffmpeg's demuxers, by container format. The service selects the demuxer by the first bytes of a file. If
 * ffmpeg chose it, a file could be read as a playlist of other files.
 */
const demuxers: Readonly<Record<Container, string>> = {
  wav: 'wav',
  w64: 'w64',
  aiff: 'aiff',
  caf: 'caf',
  au: 'au',
  flac: 'flac',
  amr: 'amr',
  ogg: 'ogg',
  webm: 'matroska',
  mp4: 'mp4',
  aac: 'aac',
  mp3: 'mp3',
};
/** ffmpeg's names of PCM sample formats. */
const pcm = [
  'u8',
  's8',
  ...['s16', 's24', 's32', 'f32', 'f64'].flatMap((name) => [`${name}le`, `${name}be`]),
];
/** Decoders that ffmpeg may use: common audio formats of recordings. Video decoders are excluded. */
const decoders = [
  ...['aac', 'aac_fixed', 'mp3float', 'mp3', 'mp2float', 'mp2', 'opus', 'libopus', 'vorbis', 'libvorbis'],
  ...['flac', 'alac', 'speex', 'libspeex', 'amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb'],
  ...[
    'adpcm_ima_wav',
    'adpcm_ms',
    'adpcm_ima_qt',
    'g722',
    'g726',
    'g726le',
    'gsm',
    'gsm_ms',
    'libgsm',
    'libgsm_ms',
  ],
  ...[...pcm, 'mulaw', 'alaw'].map((name) => `pcm_${name}`),
].join(',');
/**
 * ffmpeg filters for the time stamps of a file. If time stamps skip audio, the filters insert silence, because encoders
 * may send nothing in pauses. If time stamps go back by more than 0.1 s, as in joined files, the audio is appended to
 * the earlier audio. No audio is dropped.
 */
const timeline = [
  "asetpts='st(1,if(gt(ld(0)-PTS-ld(1),0.1/TB),ld(0)-PTS,ld(1)));st(2,PTS+ld(1));st(0,ld(2)+NB_SAMPLES/SR/TB);ld(2)'",
  'aresample=async=1:min_hard_comp=0.1',
].join(',');
/** Exit status of ffmpeg when it decoded some frames and failed on others. */
const failedStatus = 69;

/**
 * Limits of a child process: seconds of processor time, KiB of address space, and ms from start to end. Some systems do
 * not support the limit of the address space.
 */
const processorTime = 20;
const addressSpace = 524_288;
const wallTime = 120_000;
/** Maximum number of characters that ffmpeg may print about a file. */
const mostSaid = 4_194_304;
export const decodedRate = 16_000;

/**
 * Niceness of a child's session, as of the sidecar's. Linux may share the processor by session (autogroup in sched(7)).
 * The child has its own session, so its niceness as a process does not count for other sessions.
 */
const sessionNiceness = backgroundNiceness;
/**
 * Shell command that sets the niceness of the session. The kernel refuses changes that follow each other within 0.1 s,
 * of all sessions together. After five attempts the child starts with the usual priority, so that no client waits long.
 */
const yielding = `n=0; while [ -w /proc/self/autogroup ] && [ $n -lt 5 ]; do
{ echo ${sessionNiceness} >/proc/self/autogroup; } 2>/dev/null && break; n=$((n+1)); sleep 0.1; done`;
/**
 * Shell command that limits a child process: low priority, no core files, no files written, bounded processor time and
 * memory. The child cannot raise the limits. A shell sets them, because Node cannot.
 */
const bounded = `${yielding}
ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; shift 2; exec nice -n 15 "$@"`;

const argumentsFor = (container: Container, longest: number): string[] => [
  ...[
    '-nostdin',
    '-hide_banner',
    '-nostats',
    '-max_error_rate',
    '0',
    '-loglevel',
    'info',
    '-protocol_whitelist',
    'file,pipe',
  ],
  ...['-probesize', '1000000', '-codec_whitelist', decoders, '-threads', '1'],
  ...['-f', demuxers[container], '-i', '/dev/stdin'],
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-t', String(longest / 1000 + 1)],
  ...[
    '-af',
    timeline,
    '-ac',
    '1',
    '-ar',
    String(decodedRate),
    '-threads',
    '1',
    '-c:a',
    'pcm_s16le',
    // Fills its buffer before each write. Otherwise each packet would be written, and read here, by itself.
    '-flush_packets',
    '0',
    '-f',
    's16le',
    'pipe:1',
  ],
];

const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/** The result of decoding a file. */
export interface DecodedFile {
  /** Mono PCM of 16 bits and 16 kHz. The caller closes it. */
  readonly file: ScratchFile;
  /** Why the decoded audio is incomplete; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

/**
 * Decodes a file with ffmpeg as mono PCM of 16 bits and 16 kHz, in a child process with bounded time, memory and
 * output. While ffmpeg runs, this function reads ffmpeg's description of the audio. It kills the child process if the
 * audio exceeds the bounds.
 * @param program path of ffmpeg.
 * @param folder for unnamed temporary files.
 * @throws CochleaError recording_invalid, recording_too_long.
 * @throws the reason of `signal`.
 */
export const decodeInChild = async (
  { file, container, longest, signal }: ContainerFile,
  program: string,
  { words: sandbox }: Sandbox,
  folder: string,
): Promise<DecodedFile> => {
  signal.throwIfAborted();
  const decoded = await ScratchFile.create(folder);
  const words = [...sandbox, program, ...argumentsFor(container, longest)];
  const child = spawn(
    '/bin/sh',
    ['-c', bounded, 'decode', String(processorTime), String(addressSpace), ...words],
    {
      // ffmpeg reads the file as its standard input. It inherits no other descriptors except its two outputs.
      stdio: [file.descriptor, 'pipe', 'pipe'],
      cwd: '/',
      // A session of its own, without a terminal.
      detached: true,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
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
  // `signal` may have been aborted while the output file was created.
  if (signal.aborted) end();
  const described = new DescribedAudio();
  let refusal: unknown;
  let said = 0;
  const { stdout, stderr } = child as typeof child & { stdout: Readable; stderr: Readable };
  stderr.setEncoding('latin1');
  stderr.on('data', (text: string) => {
    try {
      said += text.length;
      if (said > mostSaid) throw invalid('too much of it is damaged');
      described.read(text);
    } catch (error) {
      refusal ??= error;
      end();
    }
  });
  try {
    const most = Math.ceil((longest / 1000) * decodedRate * 2);
    for await (const piece of stdout) {
      if (decoded.size + (piece as Buffer).length > most) throw new CochleaError('recording_too_long');
      await decoded.append(piece as Buffer);
    }
    const code = await ended;
    signal.throwIfAborted();
    if (refusal !== undefined) throw refusal;
    const hasFailed = code === failedStatus;
    if ((code !== 0 && !hasFailed) || !described.isKnown) throw invalid(described.reason);
    const duration = (decoded.size / 2 / decodedRate) * 1000;
    return { file: decoded, incomplete: described.incomplete(duration, hasFailed) };
  } catch (error) {
    await decoded.close();
    throw refusal ?? error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
    await ended.catch(() => undefined);
  }
};
