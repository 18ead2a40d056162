import { setImmediate as nextTurn } from 'node:timers/promises';

/** Number of bytes that are processed at once. Even with the smallest frames, this takes only 1 to 2 ms. */
export const shortPiece = 16_384;

/** Splits long pieces into short ones. Between two short pieces, the thread can do other work. */
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
