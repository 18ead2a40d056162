import { Decoder, Encoder } from '@evan/opus';
import { readOggOpus, writeOggOpus } from '../../audio/ogg/index.js';
import { CochleaError } from '../../errors/index.js';
import { sampleRate } from '../shared/index.js';
import { lookAhead, packetBytes, packetSamples, packetsOf, unreadable } from '../storage/index.js';
import { parseRecord, type RetainedRecord, recordComment, recordIn } from './record.js';

const bitsPerSecond = packetBytes * 8 * 50;
/** Ratio of the sample rate in an Opus file, 48 kHz, to the sample rate of the audio. */
const outputFactor = 48_000 / sampleRate;

/**
 * Maximum number of samples in a retained file. Utterances have at most 29 s. Other programs may write longer files to
 * the bucket, and such files are refused.
 */
export const mostSamples = 120 * sampleRate;
/** Maximum size of an encoded retained file, in bytes. */
const mostBytes = 1_048_576;
/**
 * Maximum duration in ms of the audio that is read from a file, even if its Ogg pages claim a longer duration. Files
 * with more than `mostSamples` are later refused by their number of packets.
 */
const longestRead = (2 * mostSamples * 1000) / sampleRate;

let encoder: Encoder | undefined;

/**
 * Encodes speech as Opus in Ogg at 32 kbit/s, with the record in the header. Encoding takes about a fiftieth of the
 * duration of the speech, so run it on a thread without other tasks.
 * @param pcm mono, 16 kHz.
 */
export const encodeRetained = (pcm: Int16Array, record: RetainedRecord): Buffer => {
  encoder ??= new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
  encoder.reset();
  encoder.bitrate = bitsPerSecond;
  encoder.vbr = false;
  const packets: Uint8Array[] = [];
  for (let index = 0; index < packetsOf(pcm.length); index++) {
    const piece = new Int16Array(packetSamples);
    piece.set(pcm.subarray(index * packetSamples, (index + 1) * packetSamples));
    // Copies the packet, because the encoder may return a view of its own memory.
    packets.push(encoder.encode(piece).slice());
  }
  return writeOggOpus({
    packets,
    packetLength: packetSamples * outputFactor,
    preSkip: lookAhead * outputFactor,
    length: pcm.length * outputFactor,
    inputRate: sampleRate,
    comments: [recordComment(record)],
  });
};

export interface RetainedSpeech {
  readonly record: RetainedRecord;
  /** Mono samples at 16 kHz. */
  readonly pcm: Int16Array;
}

/**
 * Decodes a retained file.
 * @param path name of the file for error messages.
 * @throws CochleaError retained_audio_unreadable
 */
export const decodeRetained = (bytes: Uint8Array, path: string): RetainedSpeech => {
  if (bytes.length > mostBytes) unreadable(path, `it has more than ${mostBytes} bytes`);
  const { packets, comments } = readOgg(bytes, path);
  const record = recordIn(comments) ?? unreadable(path, 'no record in its header');
  if (packets.length * packetSamples > mostSamples) unreadable(path, 'it is longer than any utterance');
  const decoder = new Decoder({ channels: 1, sample_rate: sampleRate });
  const pcm = new Int16Array(packets.length * packetSamples);
  let length = 0;
  for (const packet of packets) {
    const samples = decodePacket(decoder, packet, path);
    if (length + samples.length > pcm.length) return unreadable(path, 'its packets are longer than 20 ms');
    pcm.set(samples, length);
    length += samples.length;
  }
  if (length < record.samples) unreadable(path, 'it ends too early');
  return { record, pcm: pcm.slice(lookAhead, lookAhead + record.samples) };
};

const decodePacket = (decoder: Decoder, packet: Uint8Array, path: string): Int16Array => {
  try {
    return new Int16Array(decoder.decode(packet).slice().buffer);
  } catch {
    return unreadable(path, 'one of its packets is damaged');
  }
};

const readOgg = (bytes: Uint8Array, path: string): ReturnType<typeof readOggOpus> => {
  try {
    return readOggOpus(bytes, path, longestRead);
  } catch (thrown) {
    return unreadable(path, thrown instanceof CochleaError ? thrown.message : 'it is not Ogg Opus');
  }
};

/** Size in bytes of the WAV header that the first release wrote. */
const wavHeader = 44;
/** Maximum number of characters in a description of the first release. */
const longestDescription = 65_536;

/**
 * Reads a file of the first release: WAV, and its description as JSON.
 * @throws CochleaError retained_audio_unreadable
 */
export const readRetainedWav = (wav: Buffer, description: string, path: string): RetainedSpeech => {
  if (description.length > longestDescription) unreadable(path, 'its description is too long');
  const record = parseRecord(description) ?? unreadable(path, 'its description is invalid');
  if (record.samples > mostSamples) unreadable(path, 'it is longer than any utterance');
  if (wav.toString('latin1', 0, 4) !== 'RIFF' || wav.length < wavHeader + 2 * record.samples) {
    unreadable(path, 'it is not a WAV file of this service, or ends too early');
  }
  const bytes = wav.subarray(wavHeader, wavHeader + 2 * record.samples);
  return { record, pcm: new Int16Array(Uint8Array.from(bytes).buffer) };
};
