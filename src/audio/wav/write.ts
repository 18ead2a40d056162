const fileHead = 12;
const chunkHead = 8;
const mostBytes = 0xffffffff;

/**
 * Returns the body of a `fmt ` chunk for mono samples of 16 bits.
 * @param rate in Hz.
 */
export const monoFormat = (rate: number): Buffer => {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  return format;
};

/**
 * Returns the head of a WAV file: all bytes before its first sample. Source of the layout: "Multimedia Programming
 * Interface and Data Specifications 1.0", RIFF WAVE.
 * @param format body of the `fmt ` chunk.
 * @param bytes length of the samples in bytes.
 */
export const wavHead = (format: Uint8Array, bytes: number): Buffer<ArrayBuffer> => {
  const dataAt = fileHead + chunkHead + format.length + (format.length & 1);
  const head = Buffer.alloc(dataAt + chunkHead);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(Math.min(head.length - chunkHead + bytes, mostBytes), 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(format.length, 16);
  head.set(format, fileHead + chunkHead);
  head.write('data', dataAt, 'latin1');
  head.writeUInt32LE(Math.min(bytes, mostBytes), dataAt + 4);
  return head;
};

/**
 * Returns a WAV file of mono audio, 16 bits.
 * @param pcm only read; the file contains a copy.
 * @param rate in Hz.
 */
export const wavFile = (pcm: Int16Array, rate: number): Buffer<ArrayBuffer> =>
  Buffer.concat([
    wavHead(monoFormat(rate), pcm.byteLength),
    Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength),
  ]);
