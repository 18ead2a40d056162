import type { Codec, StreamFormat } from '../../wire/index.js';
import type { CodedForm } from './coded-forms.js';
import type { SampleForm } from './forms/index.js';

/** Why a stream is unreadable. */
export type UnreadableCause =
  /** The messages contain another codec or another sample format. */
  | 'codec'
  /** Each message has bytes before its frame that are not audio. */
  | 'header'
  /** Each message contains several frames, or a part of a frame. */
  | 'framing'
  | 'sample_rate'
  | 'channels'
  /** The messages contain a file. */
  | 'container'
  | 'unknown';

/** The properties of the messages that are certain. Absent properties are uncertain. */
export interface LikelyForm {
  readonly codec?: Codec | ForeignForm;
  readonly sampleRate?: number;
  readonly channels?: 1 | 2;
  /** Number of bytes before each frame that are not audio. */
  readonly headerBytes?: number;
  /** Number of frames in each message. */
  readonly framesInMessage?: number;
  readonly container?: string;
}

/** The finding about a stream whose audio differs from its declared format. */
export interface Finding {
  /** Share of the frames that can be decoded in the declared format, 0 to 1. */
  readonly decodes: number;
  readonly cause: UnreadableCause;
  readonly likely: LikelyForm;
  /** Advice for the client, as complete sentences. */
  readonly remedy: string;
  /** Whether each packet contains its own length. */
  readonly hasOwnLengths?: true;
}

/** The verdict on a sample of frames: `right`, `undecided` if another sample is needed, or the finding. */
export type Verdict = 'right' | 'undecided' | Finding;

const parameters = (likely: LikelyForm): string =>
  [
    ...(likely.codec === undefined ? [] : [`codec=${likely.codec}`]),
    ...(likely.sampleRate === undefined ? [] : [`sample_rate=${likely.sampleRate}`]),
    ...(likely.channels === undefined ? [] : [`channels=${likely.channels}`]),
  ].join('&');

const bytesBefore = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);

/** Finding: the messages contain another codec, which this engine can stream. */
export const otherCodec = (
  decodes: number,
  { codec }: Pick<StreamFormat, 'codec'>,
  likely: LikelyForm & { readonly codec: Codec },
): Finding => ({
  decodes,
  cause: 'codec',
  likely,
  remedy:
    `The messages hold ${likely.codec}, not ${codec}. Open the stream with ${parameters(likely)}.` +
    (likely.headerBytes === undefined
      ? ''
      : ` Send each frame without the ${bytesBefore(likely.headerBytes)} before it.`) +
    (likely.framesInMessage === undefined ? '' : ' Send one frame in each message.'),
});

/** Finding: the messages contain coded frames in another format than declared. */
export const codedFrames = (
  decodes: number,
  declared: StreamFormat,
  { codec, sampleRate, header, cuts = 1 }: CodedForm,
): Finding => {
  const rate = sampleRate === undefined || sampleRate === declared.sampleRate ? {} : { sampleRate };
  if (
    declared.codec.startsWith('lc3') &&
    codec === 'lc3' &&
    header === 0 &&
    cuts === 1 &&
    rate.sampleRate !== undefined
  )
    return otherCodedRate(decodes, rate.sampleRate);
  return otherCodec(decodes, declared, {
    codec,
    ...rate,
    ...(header > 0 ? { headerBytes: header } : {}),
    ...(cuts > 1 ? { framesInMessage: cuts } : {}),
  });
};

/** Sample formats that the engine cannot stream. `pdm` is the raw bit stream of a microphone. */
type ForeignForm = Exclude<SampleForm, 'u8' | 's16le'> | 'pdm';

/** Whether the engine can stream this codec. */
export const isStreamed = (codec: Codec | ForeignForm): codec is Codec => !(codec in formTitles);

/** Returns the name of a codec for use in sentences. */
export const titleOf = (codec: Codec | ForeignForm): string =>
  isStreamed(codec) ? codec : formTitles[codec];

const formTitles: Readonly<Record<ForeignForm, string>> = {
  s8: 'signed samples of 8 bits',
  mulaw: 'mu-law samples',
  alaw: 'A-law samples',
  s16be: 'big-endian samples of 16 bits',
  u16le: 'unsigned samples of 16 bits',
  s24le: 'samples of 24 bits',
  s24be: 'big-endian samples of 24 bits',
  s32le: 'samples of 32 bits',
  s32be: 'big-endian samples of 32 bits',
  f32le: 'floating-point samples',
  f32be: 'big-endian floating-point samples',
  f64le: 'floating-point samples of 64 bits',
  f64be: 'big-endian floating-point samples of 64 bits',
  pdm: 'the single bits of a PDM microphone',
};

const foreignForm = (decodes: number, form: ForeignForm, sampleRate: number | null): Finding => ({
  decodes,
  cause: 'codec',
  likely: { codec: form, ...(sampleRate === null ? {} : { sampleRate }) },
  remedy: `The messages hold ${formTitles[form]}. Convert them to pcm16, which is signed, little-endian and of 16 bits.`,
});

/** Finding: the messages contain the raw bit stream of a microphone, which was not filtered to samples. */
export const pdmBits = (decodes: number): Finding => ({
  decodes,
  cause: 'codec',
  likely: { codec: 'pdm' },
  remedy: `The messages hold ${formTitles.pdm}. Filter and decimate them to pcm16, as a PDM interface does.`,
});

/**
 * Finding: the messages contain samples in another format than declared. The finding includes their rate if it is
 * known.
 */
export const rawSamples = (
  decodes: number,
  declared: StreamFormat,
  found: {
    readonly form: SampleForm;
    readonly header?: number;
    readonly sampleRate: number | null;
    readonly channels?: 1 | 2;
  },
): Finding => {
  const { form, header = 0, sampleRate, channels = declared.channels } = found;
  if (form !== 'u8' && form !== 's16le') return foreignForm(decodes, form, sampleRate);
  return otherCodec(decodes, declared, {
    codec: form === 'u8' ? 'pcm8' : 'pcm16',
    ...(sampleRate === null || sampleRate === declared.sampleRate ? {} : { sampleRate }),
    ...(channels === declared.channels ? {} : { channels }),
    ...(header > 0 ? { headerBytes: header } : {}),
  });
};

export const radioHeader = (decodes: number, headerBytes: number): Finding => ({
  decodes,
  cause: 'header',
  likely: { headerBytes },
  remedy: `Each message begins with ${bytesBefore(headerBytes)} that ${headerBytes === 1 ? 'is' : 'are'} not audio. Send each frame without ${headerBytes === 1 ? 'it' : 'them'}.`,
});

export const severalFrames = (decodes: number, framesInMessage: number): Finding => ({
  decodes,
  cause: 'framing',
  likely: { framesInMessage },
  remedy: `Each message holds ${framesInMessage} frames. Send one frame in each message.`,
});

export const prefixedFrames = (decodes: number, lengthBytes: number): Finding => ({
  decodes,
  cause: 'framing',
  likely: { headerBytes: lengthBytes },
  remedy: `Each frame has its length before it, in ${bytesBefore(lengthBytes)}. Send one frame in each message, without its length.`,
});

/**
 * Finding: the messages contain Opus packets in the self-delimiting format.
 * @param inMessage number of packets in a message.
 */
export const selfDelimitedFrames = (
  decodes: number,
  { codec }: Pick<StreamFormat, 'codec'>,
  inMessage: number,
): Finding => {
  const isOpus = codec.startsWith('opus');
  return {
    decodes,
    cause: isOpus ? 'framing' : 'codec',
    likely: { ...(!isOpus && { codec: 'opus' }), ...(inMessage > 1 && { framesInMessage: inMessage }) },
    remedy:
      (isOpus ? '' : `The messages hold opus, not ${codec}. Open the stream with codec=opus. `) +
      'Each packet has its own length behind its first bytes (self-delimiting form, RFC 6716). ' +
      'Send each packet in the usual form, without that length, in a message of its own.',
    hasOwnLengths: true,
  };
};

export const cutFrames = (decodes: number): Finding => ({
  decodes,
  cause: 'framing',
  likely: {},
  remedy: 'The messages do not begin and end where frames do. Send one whole frame in each message.',
});

/** Finding: the samples have another rate or another number of channels than declared. */
export const otherRate = (
  { sampleRate, channels }: Pick<StreamFormat, 'sampleRate' | 'channels'>,
  declared: StreamFormat,
): Finding => {
  const likely: LikelyForm = {
    ...(sampleRate === declared.sampleRate ? {} : { sampleRate }),
    ...(channels === declared.channels ? {} : { channels }),
  };
  return {
    decodes: 1,
    cause: likely.channels === undefined ? 'sample_rate' : 'channels',
    likely,
    remedy:
      `The samples arrive at ${sampleRate} Hz, with ${channels === 1 ? 'one channel' : 'two channels'}. ` +
      `Open the stream with ${parameters(likely)}.`,
  };
};

export const otherCodedRate = (decodes: number, sampleRate: number): Finding => ({
  decodes,
  cause: 'sample_rate',
  likely: { sampleRate },
  remedy: `The frames were coded at ${sampleRate} Hz. Open the stream with sample_rate=${sampleRate}.`,
});

export const fileInFrames = (decodes: number, container: string, title: string): Finding => ({
  decodes,
  cause: 'container',
  likely: { container },
  remedy: `The messages hold ${title}. Send its frames without the file around them, one in each message.`,
});

/** Finding: each message is a complete WAV file, as browser recorders send. */
export const filePerMessage = (decodes: number): Finding => ({
  decodes,
  cause: 'container',
  likely: { container: 'wav' },
  remedy: 'Each message begins with the header of a WAV file. Send the samples alone, in every message.',
});

export const textInFrames = (decodes: number): Finding => ({
  decodes,
  cause: 'container',
  likely: { container: 'text' },
  remedy: 'The messages hold text, such as base64 or JSON. Send the raw bytes of each frame.',
});

/** Finding: the header of a WAV file contradicts the stream's declaration. */
export const otherWav = (likely: LikelyForm): Finding => ({
  decodes: 1,
  cause: likely.codec !== undefined ? 'codec' : likely.sampleRate !== undefined ? 'sample_rate' : 'channels',
  likely,
  remedy: `The stream begins with a WAV header with ${parameters(likely)}. Open the stream with these parameters.`,
});

export const unknownForm = (decodes: number, { codec }: Pick<StreamFormat, 'codec'>): Finding => ({
  decodes,
  cause: 'unknown',
  likely: {},
  remedy: `The messages are not ${codec}. Check codec, sample_rate and channels, and send one frame of that codec in each message.`,
});
