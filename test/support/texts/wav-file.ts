/** Returns a WAV file of 16-bit mono samples. */
export const wavFile = (pcm: Int16Array, rate = 16_000): Buffer => {
  const head = Buffer.alloc(44);
  const bytes = pcm.byteLength;
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.from(pcm.buffer, pcm.byteOffset, bytes)]);
};
