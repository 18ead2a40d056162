import {
  adtsForm,
  type CodedSearch,
  decodedShare,
  lc3Form,
  lc3OfAnyRate,
  looksCoded,
  mostCuts,
  opusBehindHeader,
  opusFormat,
  packetForm,
  triedFrames,
} from './coded-forms.js';
import {
  codedFrames,
  cutFrames,
  type Finding,
  fileInFrames,
  pdmBits,
  prefixedFrames,
  radioHeader,
  rawSamples,
  selfDelimitedFrames,
  severalFrames,
  textInFrames,
  unknownForm,
  type Verdict,
} from './finding.js';
import {
  adtsLength,
  distinctShare,
  fileIn,
  isEncoded,
  isMarked,
  isPdm,
  isText,
  likelierForm,
  longestHeader,
  marksOf,
  otherForm,
  predictability,
  prefixedPackets,
  rawBytes,
  selfDelimited,
  surelyPrefixed,
} from './forms/index.js';
import { type FrameSample, framesOf } from './frame-sample.js';
import { gluedPackets } from './glued-packets.js';
import { layoutOf } from './judge-pcm.js';
import { paceOf } from './pace.js';
import type { Trial, TrialDecoder } from './trial.js';

/** Minimum share of decoded frames in a correct stream. */
const rightShare = 0.95;
/** A stream with a smaller share of decoded frames counts as unreadable, even if no other format is found. */
const unreadableShare = 0.5;
/**
 * Replaces `unreadableShare` if the detector finds no speech. An LC3 decoder detects damaged frames itself, so nearly
 * all frames of a correct stream decode.
 */
const speechlessShare = { lc3: 0.8, other: 0.6 } as const;
const silent = 0.1;
/** Minimum share of speech with which another format is preferred to the declared one. */
const speaks = 0.5;
/** Minimum difference between the shares of speech in another format and in the declared format. */
const speechMargin = 0.35;
/** Minimum prediction gain in dB of a pure tone. Packets of a tone can be so similar that they seem to have a header. */
const toneGain = 20;
/** Minimum share of distinct frames. With a smaller share, the stream is silence. */
const mostlyAlike = 0.3;
/** Minimum prediction gain in dB of raw samples that a client sends instead of coded frames. */
const rawGain = 4.5;
/** Minimum number of messages for a verdict. */
const fewestMessages = 10;
/** Messages of at most this many bytes prove nothing: they are silence or keep-alives. */
const smallest = 2;

/**
 * Returns the share of decoded frames that a finding reports, for messages in another format than declared. If nearly
 * all messages decode, they decode to noise, so 0 is reported.
 */
const toldShare = (decodes: number): number => (decodes >= rightShare ? 0 : decodes);

/** Judges a stream declared as Opus, LC3 or AAC. */
export const judgeCoded = async (sample: FrameSample, trial: Pick<TrialDecoder, 'run'>): Promise<Verdict> => {
  const { format } = sample;
  const all = framesOf(sample);
  const file = sample.first && all.length > 0 ? fileIn(all[0]!) : null;
  const frames = all.filter(({ length }) => length > smallest);
  const own = await trial.run(format, triedFrames(frames));
  if (own === null) return 'undecided';
  const decodes = ownShare(format.codec, triedFrames(frames), own);
  if (file !== null && decodes < rightShare) return fileInFrames(decodes, file.container, file.title);
  if (frames.length < fewestMessages) return 'undecided';
  // Tests for text first, because the bytes of digits can look like the beginning of a packet.
  if (isEncoded(rawBytes(frames))) return textInFrames(toldShare(decodes));
  const search: CodedSearch = { frames, format, pace: paceOf(sample), trial };
  const within = distinctShare(frames) < mostlyAlike ? null : surelyPrefixed(frames);
  // The high byte of a length field can look like the beginning of a packet, and all frames then decode. So this layout
  // is tested first.
  if (within !== null && (await decodesWhole({ ...search, frames: within.packets })))
    return prefixedFrames(toldShare(decodes), within.bytes);
  const delimited = await ofSelfDelimited(search, { decodes, own });
  if (delimited !== null) return delimited;
  const glued = gluedIn(sample, all);
  if (glued !== null) return severalFrames(decodes >= rightShare ? 1 / glued : decodes, glued);
  if (decodes >= rightShare)
    return distinctShare(frames) < mostlyAlike ? 'undecided' : judgeHead(search, own);
  if (isText(rawBytes(frames))) return textInFrames(decodes);
  if (isPdm(frames)) return pdmBits(decodes);
  const found = ofAdts(search, decodes) ?? (await ofFrames(search, decodes)) ?? rawFinding(search, decodes);
  if (found !== null) return found;
  const speechless = format.codec.startsWith('lc3') ? speechlessShare.lc3 : speechlessShare.other;
  const least = own.speech < silent ? speechless : unreadableShare;
  return decodes < least ? unknownForm(decodes, format) : 'undecided';
};

/**
 * Finds Opus packets in the self-delimiting format. Most of them also decode as ordinary packets, but to noise.
 * Messages of equal length are therefore reported only if speech proves the format, or if they do not decode as
 * ordinary packets.
 */
const ofSelfDelimited = async (
  search: CodedSearch,
  { decodes, own }: { readonly decodes: number; readonly own: Trial },
): Promise<Verdict | null> => {
  const { frames, format, trial } = search;
  if (distinctShare(frames) < mostlyAlike) return null;
  const found = selfDelimited(frames);
  if (found === null || (!found.isSure && !format.codec.startsWith('opus'))) return null;
  if (found.isHeaderLike) {
    const behind = await opusBehindHeader(search, 1);
    return behind !== null && speaksMore(behind, own) ? radioHeader(toldShare(decodes), behind.header) : null;
  }
  const tried = await trial.run(opusFormat, triedFrames(found.packets));
  if (tried === null || decodedShare(tried) < rightShare) return null;
  if (!found.isSure && decodes >= rightShare && !speaksMore(tried, own)) return 'undecided';
  return selfDelimitedFrames(toldShare(decodes), format, found.inMessage);
};

/**
 * Returns whether frames contain speech when decoded in another format, and clearly more speech than in their declared
 * format.
 */
const speaksMore = (other: Pick<Trial, 'speech'>, own: Trial): boolean =>
  other.speech >= Math.max(speaks, own.speech + speechMargin);

const gluedIn = ({ format, arrivals }: FrameSample, frames: readonly Uint8Array[]): number | null =>
  format.codec.startsWith('opus') && distinctShare(frames) >= mostlyAlike
    ? gluedPackets(frames, arrivals)
    : null;

/**
 * Returns the share of frames that decode. For Opus, only frames with the most frequent duration count, because any
 * bytes can decode by chance.
 */
const ownShare = (codec: string, frames: readonly Uint8Array[], own: Trial): number => {
  const share = decodedShare(own);
  if (!codec.startsWith('opus') || share >= rightShare) return share;
  return Math.min(share, packetForm(frames).share);
};

/** Judges a stream whose frames decode. An Opus packet behind constant bytes also decodes, but to noise. */
const judgeHead = async (search: CodedSearch, own: Trial): Promise<Verdict> => {
  if (!search.format.codec.startsWith('opus')) return 'right';
  if (!isMarked(marksOf(search.frames))) return 'right';
  const raw = looksCoded(search.frames) ? null : rawFinding(search, 0);
  if (raw !== null) return raw;
  const behind = await opusBehindHeader(search, 1);
  if (behind === null || !speaksMore(behind, own)) return 'right';
  return predictability([Float32Array.from(own.pcm)]) < toneGain ? radioHeader(0, behind.header) : 'right';
};

/** Finds the declared codec in messages that do not contain exactly one frame each. */
const ofOwnCodec = async (search: CodedSearch, decodes: number): Promise<Finding | null> => {
  const { format, frames } = search;
  const { codec, sampleRate } = format;
  const within = prefixedPackets(frames);
  if (within !== null && (await decodesWhole({ ...search, frames: within.packets })))
    return prefixedFrames(decodes, within.bytes);
  if (codec.startsWith('opus')) {
    const behind = await opusBehindHeader(search, 1);
    if (behind !== null) return radioHeader(decodes, behind.header);
    return (await isSplit(search)) ? cutFrames(decodes) : null;
  }
  for (let cuts = 2; cuts <= mostCuts; cuts++) {
    if ((await lc3Form(search, { sampleRate, cuts })) !== null) return severalFrames(decodes, cuts);
  }
  for (let header = 1; header <= longestHeader; header++) {
    if ((await lc3Form(search, { sampleRate, header })) !== null) return radioHeader(decodes, header);
  }
  return null;
};

/** Maximum number of messages into which one packet may be split. */
const mostParts = 4;
/** If at least this share of messages has the same duration, the messages are packets, not parts of packets. */
const mostlyPackets = 0.8;

/** Returns whether each Opus packet is split over several messages, as by a radio with short messages. */
const isSplit = async (search: CodedSearch): Promise<boolean> => {
  for (let parts = 2; parts <= mostParts; parts++) {
    for (let first = 0; first < parts; first++) {
      // The second part of a packet does not look like a packet. If it does look like one, the messages are complete
      // packets, and other messages between them were lost or damaged.
      const second = search.frames.filter((_, index) => index > first && (index - first) % parts === 1);
      if (packetForm(second).share >= mostlyPackets) continue;
      const frames = joinedMessages(search.frames.slice(first), parts);
      const whole = await opusBehindHeader({ ...search, frames, pace: null }, 0, 0);
      if (whole !== null && whole.speech >= speaks) return true;
    }
  }
  return false;
};

const joinedMessages = (frames: readonly Uint8Array[], parts: number): Uint8Array[] =>
  Array.from({ length: Math.floor(frames.length / parts) }, (_, index) =>
    Buffer.concat(frames.slice(index * parts, (index + 1) * parts)),
  );

const decodesWhole = async ({ frames, format, trial }: CodedSearch): Promise<boolean> => {
  const own = await trial.run(format, triedFrames(frames));
  return own !== null && decodedShare(own) >= rightShare;
};

const ofAac = (frames: readonly Uint8Array[], decodes: number): Finding | null => {
  const adts = adtsForm(frames);
  if (adts === null) return frames.some((frame) => adtsLength(frame) > 0) ? cutFrames(decodes) : null;
  if (adts.header > 0) return radioHeader(decodes, adts.header);
  return adts.framesInMessage > 1 ? severalFrames(decodes, adts.framesInMessage) : null;
};

/** Finds AAC frames by their ADTS headers. */
const ofAdts = ({ frames, format }: CodedSearch, decodes: number): Finding | null => {
  if (format.codec === 'aac') return ofAac(frames, decodes);
  const adts = adtsForm(frames);
  if (adts === null) return null;
  return codedFrames(decodes, format, { codec: 'aac', header: adts.header, speech: 0 });
};

/** Finds coded frames, of the declared codec or of another codec. */
const ofFrames = async (search: CodedSearch, decodes: number): Promise<Finding | null> => {
  const { format, frames } = search;
  if (!looksCoded(frames)) return null;
  const own = await ofOwnCodec(search, decodes);
  if (own !== null) return own;
  const opus = format.codec.startsWith('opus') ? null : await opusBehindHeader(search);
  const coded = opus ?? (await lc3OfAnyRate(search));
  return coded === null ? null : codedFrames(decodes, format, coded);
};

/** Finds raw samples that a client sends instead of coded frames. */
const rawFinding = ({ frames, format, pace }: CodedSearch, decodes: number): Finding | null => {
  const bytes = rawBytes(frames);
  const found = likelierForm(frames, marksOf(frames), otherForm(bytes, null));
  if (found === null || found.gain < rawGain) return null;
  return rawSamples(decodes, format, { ...found, ...layoutOf(bytes, found, { format, pace }) });
};
