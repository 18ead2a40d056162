/**
 * Returns the length of a frame in samples at 48 kHz.
 * @param config configuration number in the TOC byte. Source: RFC 6716, section 3.1.
 */
const frameAt48k = (config: number): number => {
  if (config < 12) return [480, 960, 1920, 2880][config & 3]!;
  if (config < 16) return [480, 960][config & 1]!;
  return [120, 240, 480, 960][config & 3]!;
};

/**
 * Returns the duration of an Opus packet in samples.
 * @param rate Hz at which samples are counted.
 * @returns 0 when the packet is empty or longer than the permitted 120 ms.
 */
export const packetSamples = (packet: Uint8Array, rate: number): number => {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63;
  const at48k = frames * frameAt48k(toc >> 3);
  return at48k > 5760 ? 0 : (at48k * rate) / 48_000;
};
