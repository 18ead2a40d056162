import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { longTextNiceness } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Container } from '../sniff/index.js';
import { DescribedAudio } from './described-audio.js';

/** A file for ffmpeg to decode. `from` and `to` are open file descriptors of this process; the caller owns them. */
export interface ContainerTask {
  readonly from: number;
  readonly container: Container;
  /** Maximum duration of the audio, in ms. */
  readonly longest: number;
  /** Path of ffmpeg. */
  readonly program: string;
  /** First words of the command line, before the path of ffmpeg; see `Sandbox.words`. */
  readonly sandbox: readonly string[];
  /** An empty file that receives mono PCM of 16 bits and 16 kHz. */
  readonly to: number;
  /** One shared number. A value other than 0, with a notification (`Atomics.notify`), cancels the decoding. */
  readonly stop: Int32Array;
}

/** The result of decoding, or the error that refuses the file. If the decoding was cancelled, there is neither. */
export interface ContainerAnswer {
  readonly decoded?: {
    /** Number of bytes written to the output file. */
    readonly bytes: number;
    /** Why the decoded audio is incomplete; null if nothing suggests missing audio. */
    readonly incomplete: string | null;
  };
  readonly error?: ReturnType<CochleaError['toJSON']>;
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

/** Maximum processor time of a child process, in seconds. */
const processorTime = 20;
/** Maximum address space of a child process, in KiB. Some systems do not support this limit. */
const addressSpace = 524_288;
/** Maximum time from the start to the end of a child process, in ms. */
const wallTime = 120_000;
/** Maximum number of characters that ffmpeg may print about a file. */
const mostSaid = 4_194_304;
export const decodedRate = 16_000;

/**
 * Niceness of the child and of its session. Requests at the sidecar are more urgent. Linux may share the processor by
 * session (autogroup in sched(7)). The child has its own session, so its niceness as a process does not count for other
 * sessions.
 */
const niceness = longTextNiceness;
/**
 * Shell command that sets the niceness of the session. For all sessions together, the kernel accepts only one change in
 * 0.1 s. After five attempts the child starts with the usual priority, so that no client waits long.
 */
const yielding = `n=0; while [ -w /proc/self/autogroup ] && [ $n -lt 5 ]; do
{ echo ${niceness} >/proc/self/autogroup; } 2>/dev/null && break; n=$((n+1)); sleep 0.1; done`;
/**
 * Shell command that limits a child process: low priority, no core files, no files written, bounded processor time and
 * memory. The child cannot raise the limits. A shell sets them, because Node cannot.
 */
const bounded = `${yielding}
ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; shift 2; exec nice -n ${niceness} "$@"`;

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
    // Makes ffmpeg fill its buffer before each write. Otherwise ffmpeg would write each packet separately, and this
    // process would read each packet separately.
    '-flush_packets',
    '0',
    '-f',
    's16le',
    'pipe:1',
  ],
];

const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/** Starts ffmpeg with bounded time and memory. Its outputs are pipes. */
const startChild = ({ from, container, longest, program, sandbox }: ContainerTask) => {
  const words = [...sandbox, program, ...argumentsFor(container, longest)];
  return spawn('/bin/sh', ['-c', bounded, 'decode', String(processorTime), String(addressSpace), ...words], {
    // ffmpeg reads the file as its standard input. It inherits no other descriptors except its two outputs.
    stdio: [from, 'pipe', 'pipe'],
    cwd: '/',
    // Gives the child its own session, without a terminal.
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  }) as ReturnType<typeof spawn> & { readonly stdout: Readable; readonly stderr: Readable };
};

/** Writes the pieces of a stream to a file. @throws CochleaError recording_too_long after `most` bytes. */
const writeAll = async (pieces: Readable, to: number, most: number): Promise<number> => {
  let written = 0;
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    if (written + piece.length > most) throw new CochleaError('recording_too_long');
    for (let at = 0; at < piece.length; ) at += writeSync(to, piece, at, piece.length - at, written + at);
    written += piece.length;
  }
  return written;
};

/**
 * Decodes a file in a child process. While ffmpeg runs, this function reads ffmpeg's description of the audio. It kills
 * the child process if the audio exceeds the bounds.
 * @throws CochleaError recording_invalid, recording_too_long.
 */
const decoded = async (task: ContainerTask): Promise<ContainerAnswer> => {
  const { longest, to, stop } = task;
  const child = startChild(task);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  ended.catch(() => undefined);
  const end = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(end, wallTime);
  void Promise.resolve(Atomics.waitAsync(stop, 0, 0).value).then(end);
  const described = new DescribedAudio();
  let refusal: unknown;
  let said = 0;
  const { stdout, stderr } = child;
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
    const bytes = await writeAll(stdout, to, Math.ceil((longest / 1000) * decodedRate * 2));
    const code = await ended;
    if (Atomics.load(stop, 0) !== 0) return {};
    if (refusal !== undefined) throw refusal;
    const hasFailed = code === failedStatus;
    if ((code !== 0 && !hasFailed) || !described.isKnown) throw invalid(described.reason);
    const duration = (bytes / 2 / decodedRate) * 1000;
    return { decoded: { bytes, incomplete: described.incomplete(duration, hasFailed) } };
  } catch (error) {
    throw refusal ?? error;
  } finally {
    clearTimeout(timer);
    end();
    await ended.catch(() => undefined);
  }
};

/**
 * Decodes a file with ffmpeg as mono PCM of 16 bits and 16 kHz, in a child process with bounded time, memory and
 * output. Starting a process stops the calling thread for about 10 ms, so this runs on a thread of its own.
 */
export const decodeInChild = async (task: ContainerTask): Promise<ContainerAnswer> => {
  if (Atomics.load(task.stop, 0) !== 0) return {};
  try {
    return await decoded(task);
  } catch (error) {
    if (error instanceof CochleaError) return { error: error.toJSON() };
    throw error;
  }
};
