/**
 * Reads the beginning of a stream of pieces and keeps these pieces for the reader of the stream.
 * @param bytes length of the head. A shorter stream gives a shorter head.
 * @returns the head, and all pieces of the stream including the head.
 */
export const peek = async (
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ readonly head: Uint8Array; readonly pieces: AsyncIterable<Uint8Array> }> => {
  const rest = pieces[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let ended = false;
  while (!ended && head.length < bytes) {
    const next = await rest.next();
    if (next.done) ended = true;
    else head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  return {
    head: head.subarray(0, bytes),
    pieces: (async function* () {
      try {
        if (head.length > 0) yield head;
        for (let next = ended ? undefined : await rest.next(); next && !next.done; next = await rest.next()) {
          yield next.value;
        }
      } finally {
        await rest.return?.();
      }
    })(),
  };
};
