/**
 * Returns an answer whose body fails after `most` bytes. The bytes of a compressed body are counted after decompression.
 * @param tooLong makes the error with which the body fails.
 */
export const boundedAnswer = (answer: Response, most: number, tooLong: () => Error): Response => {
  if (answer.body === null) return answer;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes <= most) controller.enqueue(piece);
      else controller.error(tooLong());
    },
  });
  return new Response(answer.body.pipeThrough(counted), answer);
};
