/** Tables of 16-bit samples for each byte value, in mu-law and in A-law. Source: ITU-T G.711. */
export const muLawSamples = new Int16Array(256);
export const aLawSamples = new Int16Array(256);

for (let byte = 0; byte < 256; byte++) {
  const mu = ~byte & 0xff;
  const magnitude = ((((mu & 0x0f) << 3) + 0x84) << ((mu & 0x70) >> 4)) - 0x84;
  muLawSamples[byte] = mu & 0x80 ? -magnitude : magnitude;
  const a = byte ^ 0x55;
  const segment = (a & 0x70) >> 4;
  const step = (a & 0x0f) << 4;
  const value = segment === 0 ? step + 8 : (step + 0x108) << (segment - 1);
  aLawSamples[byte] = a & 0x80 ? value : -value;
}
