import { setImmediate as nextTurn } from 'node:timers/promises';

/** Number of bytes read in one piece. Even with the smallest frames, a piece takes only 1 to 2 ms. */
export const shortPiece = 16_384;

/** Splits long pieces into short ones. The thread does other work between the parts of a long piece. */
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
