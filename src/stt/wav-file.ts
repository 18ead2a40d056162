const headerBytes = 44;

/**
 * A WAV file of mono audio, 16 bits.
 * @param pcm only read; the file has a copy.
 * @param rate in Hz.
 * Source of the layout: "Multimedia Programming Interface and Data Specifications 1.0", RIFF WAVE.
 */
export const wavFile = (pcm: Int16Array, rate: number): Buffer<ArrayBuffer> => {
  const file = Buffer.alloc(headerBytes + pcm.byteLength);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(headerBytes - 8 + pcm.byteLength, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(pcm.byteLength, 40);
  Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).copy(file, headerBytes);
  return file;
};
