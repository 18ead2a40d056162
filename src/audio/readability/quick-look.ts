import { isBlank } from './blank.js';
import {
  declaredGain,
  fileIn,
  isEncoded,
  isMarked,
  marksOf,
  rawBytes,
  sampleBytesOf,
  selfDelimited,
  surelyPrefixed,
} from './forms/index.js';
import { type FrameSample, framesOf } from './frame-sample.js';
import { gluedPackets } from './glued-packets.js';
import { comesInTime } from './judge-rate.js';
import { paceOf } from './pace.js';

/** Minimum share of decoded frames in a correct coded stream. */
const rightShare = 0.95;
const fewestFrames = 10;
/** Prediction gain in dB that samples reach only in the declared format. */
const surelyAudio = 7;
const mostlyLoudShare = 0.8;
/** Number of bytes of PCM that are examined, from the middle of the sample. */
const lookedBytes = 4096;

/**
 * Returns whether a sample obviously has the declared format, as nearly all samples do. No trial decoding is then
 * needed. Takes less than half a millisecond, so a shard may call it.
 */
export const looksRight = (sample: FrameSample): boolean => {
  const frames = framesOf(sample);
  if (frames.length < fewestFrames || (sample.first && fileIn(frames[0]!) !== null)) return false;
  if (isMarked(marksOf(frames)) || surelyPrefixed(frames) !== null) return false;
  if (isEncoded(rawBytes(frames))) return false;
  const { format, arrivals, decodes } = sample;
  if (sampleBytesOf(format) > 0) return pcmLooksRight(sample, frames);
  if (format.codec.startsWith('opus') && (gluedPackets(frames, arrivals) ?? selfDelimited(frames)) !== null)
    return false;
  return decodes >= rightShare;
};

const pcmLooksRight = (sample: FrameSample, frames: readonly Uint8Array[]): boolean => {
  const { format } = sample;
  const bytes = rawBytes(frames.filter((frame) => !isBlank(frame)));
  if (bytes.length < lookedBytes) return false;
  const pace = paceOf(sample);
  if (pace === null || !comesInTime(pace, format)) return false;
  const frameBytes = sampleBytesOf(format) * format.channels;
  const from = Math.max(0, Math.floor((bytes.length - lookedBytes) / 2 / frameBytes) * frameBytes);
  const middle = bytes.subarray(from, from + lookedBytes);
  const { channels } = format;
  if (format.codec === 'pcm16' && mostlyLoud(middle)) return false;
  return (
    declaredGain(middle, format.codec === 'pcm8' ? 'u8' : 's16le', { channels, anyStart: false }) >=
    surelyAudio
  );
};

/** Returns whether most samples exceed half of full scale. This happens if unsigned samples are read as signed ones. */
const mostlyLoud = (bytes: Uint8Array): boolean => {
  let loud = 0;
  // The two highest bits of a sample differ if it exceeds half of full scale.
  for (let at = 1; at < bytes.length; at += 2) if (((bytes[at]! ^ (bytes[at]! << 1)) & 0x80) !== 0) loud++;
  return loud > mostlyLoudShare * (bytes.length / 2);
};
