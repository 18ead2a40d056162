import { startsWith } from './stream-kind.js';

/** The first packet of an Opus stream. Source: RFC 7845, section 5.1. */
export interface OpusHead {
  readonly version: number;
  readonly channels: number;
  /** Number of samples at 48 kHz that a player skips at the beginning. */
  readonly preSkip: number;
  /** Amplification in dB that a player applies to the stream. */
  readonly gain: number;
}

/** Maximum gain in dB, up or down. Transcription works without applying a gain up to this value. */
const mostGain = 6;

/**
 * Reads the first packet of an Opus stream.
 * @returns undefined for a packet that is not an Opus header.
 */
export const parseOpusHead = (packet: Uint8Array): OpusHead | undefined => {
  if (!startsWith(packet, 'OpusHead') || packet.length < 19) return undefined;
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  return {
    version: packet[8]!,
    channels: packet[9]!,
    preSkip: view.getUint16(10, true),
    gain: view.getInt16(16, true) / 256,
  };
};

/**
 * Whether the core decodes a stream as a player would. The stream must have one or two channels, and a gain within
 * `mostGain`.
 */
export const isPlainOpus = ({ version, channels, gain }: OpusHead): boolean =>
  version >> 4 === 0 && (channels === 1 || channels === 2) && Math.abs(gain) <= mostGain;
