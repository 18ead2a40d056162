import { Decoder } from '@evan/opus';

/** Decodes one message to mono samples at 16 kHz. The samples are valid until the next call. Throws for an undecodable message. */
export type FrameDecoder = (message: Uint8Array) => Int16Array;

const opus = (): FrameDecoder => {
  const decoder = new Decoder({ channels: 1, sample_rate: 16_000 });
  return (message) => {
    const bytes = decoder.decode(message);
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
  };
};

const pcm16 = (): FrameDecoder => (message) => {
  if (message.byteOffset % 2 === 0)
    return new Int16Array(message.buffer, message.byteOffset, message.byteLength >> 1);
  return new Int16Array(message.slice(0, message.byteLength & ~1).buffer);
};

const pcm8 = (): FrameDecoder => (message) => Int16Array.from(message, (byte) => (byte - 128) << 8);

const decoders: Readonly<Record<string, () => FrameDecoder>> = { opus, opus_fs320: opus, pcm16, pcm8 };

/** Returns a function that creates decoders. Undefined for an unsupported format. PCM is supported only at 16 kHz. */
export const decoderFor = (codec: string, sampleRate: number): (() => FrameDecoder) | undefined =>
  codec.startsWith('pcm') && sampleRate !== 16_000 ? undefined : decoders[codec];
