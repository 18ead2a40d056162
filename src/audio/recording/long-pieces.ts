/** Number of bytes that are written at once. Each write costs the thread about as much as copying these bytes. */
const longPiece = 65_536;

/** Joins short pieces, such as those of a form, to pieces of at least 64 KiB. Only the last one may be shorter. */
export async function* longPieces(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = [];
  let held = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    held += piece.length;
    if (held < longPiece) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    held = 0;
  }
  if (held > 0) yield Buffer.concat(waiting);
}
