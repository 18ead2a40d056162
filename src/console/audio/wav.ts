const headBytes = 44;

/** Returns a WAV file. @param samples signed 16 bits, channels interleaved. @param rate Hz */
export const wavFile = (
  samples: Int16Array<ArrayBuffer>,
  channels: number,
  rate: number,
): Uint8Array<ArrayBuffer> => {
  const file = new Uint8Array(headBytes + samples.byteLength);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string): void => {
    for (let place = 0; place < word.length; place++) view.setUint8(at + place, word.charCodeAt(place));
  };
  text(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.byteLength, true);
  for (let place = 0; place < samples.length; place++)
    view.setInt16(headBytes + place * 2, samples[place]!, true);
  return file;
};
