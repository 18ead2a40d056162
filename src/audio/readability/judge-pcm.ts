import type { Codec, StreamFormat } from '../../wire/index.js';
import { isBlank } from './blank.js';
import { channelsOf } from './channel-layout.js';
import { adtsForm, type CodedSearch, lc3OfAnyRate, looksCoded, opusBehindHeader } from './coded-forms.js';
import {
  codedFrames,
  type Finding,
  fileInFrames,
  filePerMessage,
  type LikelyForm,
  otherCodec,
  otherWav,
  pdmBits,
  prefixedFrames,
  radioHeader,
  rawSamples,
  selfDelimitedFrames,
  textInFrames,
  unknownForm,
  type Verdict,
} from './finding.js';
import {
  declaredGain,
  distinctShare,
  entropyOf,
  fileIn,
  formBytes,
  type HeadMarks,
  hasEvenBytes,
  isAdpcm,
  isBetterThroughout,
  isEncoded,
  isMarked,
  isPdm,
  isText,
  isWavEach,
  likelierForm,
  marksOf,
  mostCommon,
  nearlyAll,
  otherForm,
  type PcmForm,
  type RawForm,
  rawBytes,
  selfDelimited,
  surelyPrefixed,
  wavFormatOf,
} from './forms/index.js';
import { type FrameSample, framesOf } from './frame-sample.js';
import { isOffPace, judgeRate } from './judge-rate.js';
import { type Pace, paceOf, paceRatio, usualRate } from './pace.js';
import type { TrialDecoder } from './trial.js';

/**
 * Bounds for the prediction gain in dB. Below `noiseGain`, samples look like noise. From `audioGain` on, they are
 * certainly audio.
 */
const noiseGain = 2;
const audioGain = 5;
/** Minimum increase of prediction gain in dB that proves another format. */
const formMargin = 4.5;
/**
 * Minimum increase of prediction gain in dB that proves one-byte samples. It is smaller than `formMargin`, because they
 * must also have similar bytes at even and odd offsets.
 */
const byteMargin = 3.5;
/**
 * Minimum increase of prediction gain in dB that proves mu-law or A-law. It is smaller than the other margins, because
 * the samples must also look like mu-law or A-law.
 */
const lawMargin = 2.5;
/** Minimum entropy of coded or encrypted audio in an unknown format, in bits per byte. */
const unknownEntropy = 7.8;
/**
 * Minimum entropy of ADPCM, in bits per byte. It is lower than that of other coded audio, because some codes of ADPCM
 * are frequent.
 */
const adpcmEntropy = 6;
/** Minimum entropy of any sound, in bits per byte. */
const someEntropy = 2.5;
/**
 * Lengths count as varied if at most this share of the messages has the most frequent length. Coded frames of an
 * unknown format must have varied lengths, unless they arrive far too slowly for samples.
 */
const variedLengths = 0.8;
/** Maximum number of seconds of audio that arrive per second, for a stream that is too slow to be PCM samples. */
const farSlower = 0.4;
/** Minimum number of bytes for a verdict. */
const fewestBytes = 1600;
/** Minimum share of distinct messages. With a smaller share, the stream is silence. */
const mostlyAlike = 0.3;

/** Judges a stream declared as PCM. */
export const judgePcm = async (sample: FrameSample, trial: Pick<TrialDecoder, 'run'>): Promise<Verdict> => {
  const all = framesOf(sample);
  if (isWavEach(all)) return filePerMessage(0);
  const inFile = sample.first && all.length > 0 ? ofFile(sample, all[0]!) : null;
  if (inFile !== null) return inFile;
  // Silent frames are left out, because silence is predictable in every format.
  const frames = all.filter((frame) => !isBlank(frame));
  const bytes = rawBytes(frames);
  if (bytes.length < fewestBytes || isSilent(bytes) || distinctShare(frames) < mostlyAlike)
    return 'undecided';
  // If digits encode samples, they are as predictable as samples. So text is tested first.
  if (isEncoded(bytes)) return textInFrames(0);
  if (isPdm(frames)) return pdmBits(0);
  const pace = paceOf(sample);
  const declared = declaredForm(sample.format.codec);
  const { channels } = sample.format;
  const gain = declaredGain(bytes, declared, {
    channels,
    anyStart: !sample.aligned || frames.slice(1).some(({ length }) => length % 2 === 1),
  });
  const prefix = ofLengths(frames, { declared, channels, gain });
  if (prefix !== null) return prefix;
  if (gain < noiseGain && isText(bytes)) return textInFrames(0);
  const found =
    (gain < noiseGain ? await ofCodec({ ...sample, frames, pace, trial }) : null) ??
    ofForm(sample, frames, { declared, gain, pace });
  if (found !== null) return found;
  if (gain < noiseGain && isAdpcm(bytes)) return unknownForm(0, sample.format);
  if (gain >= noiseGain) return judgeRate(sample, pace, trial);
  if (isUnknown(frames, bytes, { gain, pace, sample })) return unknownForm(0, sample.format);
  return 'undecided';
};

const declaredForm = (codec: Codec): PcmForm => (codec === 'pcm8' ? 'u8' : 's16le');

/** Returns whether nearly all bytes have the same value, because nothing was recorded. */
const isSilent = (bytes: Uint8Array): boolean => mostCommon([...bytes.subarray(0, 4096)]).share >= nearlyAll;

const ofFile = ({ format }: FrameSample, head: Uint8Array): Finding | null => {
  const file = fileIn(head);
  if (file === null) return null;
  if (file.container !== 'wav') return fileInFrames(0, file.container, file.title);
  const wav = wavFormatOf(head);
  if (wav === null || wav.isBigEndian) return null;
  if (wav.tag === 7 || wav.tag === 6)
    return rawSamples(0, format, { form: wav.tag === 7 ? 'mulaw' : 'alaw', sampleRate: wav.rate });
  if (wav.tag === 3 && (wav.bits === 32 || wav.bits === 64))
    return rawSamples(0, format, { form: `f${wav.bits}le`, sampleRate: wav.rate });
  const codec = wav.bits === 8 ? 'pcm8' : wav.bits === 16 ? 'pcm16' : null;
  if (codec === null)
    return wav.bits === 24 || wav.bits === 32
      ? rawSamples(0, format, { form: `s${wav.bits}le`, sampleRate: wav.rate })
      : null;
  const channels = wav.channels === 2 ? 2 : 1;
  const likely: LikelyForm = {
    ...(codec === format.codec ? {} : { codec }),
    ...(wav.rate === format.sampleRate ? {} : { sampleRate: wav.rate }),
    ...(channels === format.channels ? {} : { channels }),
  };
  return Object.keys(likely).length === 0 ? null : otherWav(likely);
};

/**
 * Finds samples with a length before the samples of each message. Their prediction gain rises when the lengths are
 * removed.
 */
const ofLengths = (
  frames: readonly Uint8Array[],
  { declared, channels, gain }: { declared: PcmForm; channels: number; gain: number },
): Finding | null => {
  const within = surelyPrefixed(frames);
  if (within === null) return null;
  const without = declaredGain(rawBytes(within.packets), declared, { channels, anyStart: false });
  if (without < noiseGain || without <= gain) return null;
  const several = within.packets.length > frames.length;
  return several ? prefixedFrames(0, within.bytes) : radioHeader(0, within.bytes);
};

/** Finds coded frames that a client sends instead of samples. */
const ofCodec = async (search: CodedSearch): Promise<Finding | null> => {
  const { frames, format } = search;
  const adts = adtsForm(frames);
  if (adts !== null)
    return otherCodec(0, format, { codec: 'aac', ...(adts.header > 0 && { headerBytes: adts.header }) });
  if (!looksCoded(frames)) return null;
  const delimited = selfDelimited(frames);
  if (delimited?.isSure) return selfDelimitedFrames(0, format, delimited.inMessage);
  const form = (await opusBehindHeader(search)) ?? (await lc3OfAnyRate(search));
  return form === null ? null : codedFrames(0, format, form);
};

/** Finds samples in another format than the declared one, or behind a header. */
const ofForm = (
  { format }: FrameSample,
  frames: readonly Uint8Array[],
  { declared, gain, pace }: { declared: PcmForm; gain: number; pace: Pace | null },
): Finding | null => {
  const marks = marksOf(frames);
  const bytes = rawBytes(frames);
  const without = otherForm(bytes, declared);
  const looked =
    showsHeader(marks, frames, format) || gain < noiseGain ? likelierForm(frames, marks, without) : without;
  if (looked === null || looked.gain < audioGain) return null;
  if (looked.header > 0 && looked.form === declared) {
    // A counter or constant bytes prove the header. Without these marks, the prediction gain must clearly rise when the
    // header is removed.
    const margin = isMarked(marks) ? -formMargin : formMargin;
    return looked.gain >= gain + margin ? radioHeader(0, looked.header) : null;
  }
  if (looked.gain < gain + marginOf(looked) || entropyOf(bytes) < someEntropy) return null;
  if (looked.header === 0 && !isBetterThroughout(bytes, looked.form, declared)) return null;
  return rawSamples(0, format, { ...looked, ...layoutOf(bytes, looked, { format, pace }) });
};

/**
 * Returns whether the beginnings of messages show a header. A tone also causes constant bytes if its period fits the
 * message length. Such bytes are therefore ignored in two channels, and where the tone is zero.
 */
const showsHeader = (
  marks: HeadMarks,
  frames: readonly Uint8Array[],
  { channels }: Pick<StreamFormat, 'channels'>,
): boolean => {
  if (marks.counter !== null) return true;
  if (!isMarked(marks) || channels === 2) return false;
  return frames[0]!.subarray(0, marks.constant).some((byte) => byte !== 0 && byte !== 0x80 && byte !== 0xff);
};

/** Returns the number of channels and the rate of samples in a format. The rate is null if it is unknown. */
export const layoutOf = (
  bytes: Uint8Array,
  { form, header }: RawForm,
  { format, pace }: { format: StreamFormat; pace: Pace | null },
): { readonly channels: 1 | 2; readonly sampleRate: number | null } => {
  const pcm = form === 'u8' || form === 's16le';
  const channels = (pcm && header === 0 ? channelsOf(bytes, form) : null) ?? format.channels;
  const unsure = pace === null || (!pcm && channels === 2);
  const sampleRate = unsure ? null : usualRate(pace.bytesPerSecond / formBytes[form] / channels);
  return { channels, sampleRate };
};

const marginOf = ({ form }: RawForm): number => {
  if (form === 'mulaw' || form === 'alaw') return lawMargin;
  return formBytes[form] === 1 ? byteMargin : formMargin;
};

/**
 * Returns whether messages look like coded frames of an unknown format. The bytes of such messages are random. Also,
 * the messages arrive far more slowly than samples would. If the lengths of the messages vary, it is enough that they
 * arrive clearly faster or slower than samples (see `isOffPace`).
 */
const isUnknown = (
  frames: readonly Uint8Array[],
  bytes: Uint8Array,
  { gain, pace, sample }: { gain: number; pace: Pace | null; sample: FrameSample },
): boolean => {
  if (pace === null || gain >= 1) return false;
  const ratio = paceRatio(pace, sample.format);
  const entropy = entropyOf(bytes);
  // In 16-bit samples, the two bytes have different distributions; in ADPCM, all bytes have the same distribution.
  // One-byte samples cannot be told from ADPCM in this way.
  if (ratio <= farSlower && sample.format.codec === 'pcm16' && entropy >= adpcmEntropy && hasEvenBytes(bytes))
    return true;
  if (entropy < unknownEntropy) return false;
  const { share } = mostCommon(frames.map(({ length }) => length));
  return ratio <= farSlower || (share <= variedLengths && isOffPace(ratio));
};
