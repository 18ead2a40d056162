import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes that are read in one piece: of the smallest frames and samples they take a millisecond or two. */
export const shortPiece = 16_384;

/** The same bytes in short pieces. Between two of a longer one the thread does what else there is to do. */
export async function* shortPieces(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += shortPiece) {
      if (at > 0) await nextTurn();
      yield piece.subarray(at, at + shortPiece);
    }
  }
}
