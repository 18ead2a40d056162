import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes read in one piece. With the smallest frames and samples a piece takes a millisecond or two. */
export const shortPiece = 16_384;

/** The same bytes in short pieces. The thread does other work between the parts of a long piece. */
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
