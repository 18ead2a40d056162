import { startsWith } from './stream-kind.js';

/** The first packet of an Opus stream. Source: RFC 7845, section 5.1. */
export interface OpusHead {
  readonly version: number;
  readonly channels: number;
  /** Samples at 48 kHz at the beginning that a player leaves out. */
  readonly preSkip: number;
  /** dB by which a player amplifies the stream. */
  readonly gain: number;
}

/** Gain in dB up to which transcription works without applying it. */
const mostGain = 6;

/** @returns undefined for a packet that is not an Opus header. */
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

/** Whether the core decodes a stream like a player: one or two channels, at about the volume of its packets. */
export const isPlainOpus = ({ version, channels, gain }: OpusHead): boolean =>
  version >> 4 === 0 && (channels === 1 || channels === 2) && Math.abs(gain) <= mostGain;
