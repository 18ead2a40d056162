import { createRequire } from 'node:module';

interface WasmDecoder {
  decode(packet: Uint8Array): Uint8Array;
  drop(): void;
}

// The entry point of this package prefers a prebuilt addon, so this line loads the WASM build. The package's types do
// not describe it.
const { Decoder } = createRequire(import.meta.url)('@evan/opus/wasm/index.js') as {
  Decoder: new (options: { channels: 1 | 2; sample_rate: number }) => WasmDecoder;
};

/**
 * Size in bytes of the WASM build's packet buffer. Longer packets count as invalid. They are possible only above 500
 * kbit/s.
 */
const maxPacket = 8192;
const maxSamples = 1920;

const silkFrames = [160, 320, 640, 960];
const celtFrames = [40, 80, 160, 320];

/** Returns the length of one frame in samples at 16 kHz, by the configuration number of a packet (RFC 6716, section 3.1, table 2). */
const frameSamples = (configuration: number): number => {
  if (configuration < 12) return silkFrames[configuration & 3]!;
  if (configuration < 16) return silkFrames[configuration & 1]!;
  return celtFrames[configuration & 3]!;
};

/** @returns the duration of a packet in samples at 16 kHz; 0 if the packet is invalid. */
export function opusDuration(packet: Uint8Array): number {
  if (packet.length === 0 || packet.length > maxPacket) return 0;
  const head = packet[0]!;
  const code = head & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63;
  const samples = frames * frameSamples(head >> 3);
  return samples <= maxSamples ? samples : 0;
}

/** Decodes Opus to mono 16 kHz. Occupies WASM memory until `drop` is called. */
export class OpusStream {
  readonly #decoder = new Decoder({ channels: 1, sample_rate: 16_000 });

  /** @returns mono samples at 16 kHz, or undefined when the packet does not decode. */
  decode(packet: Uint8Array): Int16Array | undefined {
    try {
      const bytes = this.#decoder.decode(packet);
      return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
    } catch {
      return undefined;
    }
  }

  drop(): void {
    this.#decoder.drop();
  }
}
