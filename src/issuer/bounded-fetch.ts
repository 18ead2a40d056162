import { fixedLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';

/**
 * Passes on the bytes of a body. Fails as soon as there are too many. The bytes of a compressed body are counted after
 * decompression.
 */
const boundedBody = (): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes <= fixedLimits.issuerAnswer.value) controller.enqueue(piece);
      else controller.error(new CochleaError('issuer_refused', { why: 'its answer is too long' }));
    },
  });
};

/** Works like `fetch`, but the body of an answer fails if it is too long. */
export const boundedFetch = async (address: string, options: RequestInit): Promise<Response> => {
  const answer = await fetch(address, options);
  return answer.body === null ? answer : new Response(answer.body.pipeThrough(boundedBody()), answer);
};
