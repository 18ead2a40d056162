/** Builds Ogg files page by page, also in ways in which no program writes them. */

/** Returns one page. `lacing` is a parameter, so that tests can split packets over pages. */
export const page = (serial: number, lacing: readonly number[], body: Uint8Array, flags = 0): Buffer => {
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head[5] = flags;
  head.writeUInt32LE(serial, 14);
  head[26] = lacing.length;
  return Buffer.concat([head, Buffer.from(lacing), body]);
};

export const lacingOf = (length: number): number[] => [
  ...Array.from({ length: Math.floor(length / 255) }, () => 255),
  length % 255,
];

/** Returns a page of complete packets. */
export const whole = (serial: number, ...packets: Uint8Array[]): Buffer =>
  page(
    serial,
    packets.flatMap(({ length }) => lacingOf(length)),
    Buffer.concat(packets),
  );

export const opusHead = (channels = 1): Buffer => {
  const bytes = Buffer.alloc(19);
  bytes.write('OpusHead', 0, 'latin1');
  bytes[8] = 1;
  bytes[9] = channels;
  return bytes;
};

export const opusTags = Buffer.from('OpusTags and whatever else');

/** Returns an Ogg Opus file that repeats one page. @param bytes approximate length of the file. */
export const repeatedPages = (one: Buffer, bytes: number): Buffer =>
  Buffer.concat([
    whole(7, opusHead()),
    whole(7, opusTags),
    ...Array<Buffer>(Math.ceil(bytes / one.length)).fill(one),
  ]);

/** Returns a page with the maximum number of packets. */
export const fullPage = (length: number, first = 0, serial = 7): Buffer =>
  page(serial, Array<number>(255).fill(length), Buffer.alloc(255 * length, first));
