import { endingBody } from './ending-body.js';

/** Works like `fetch`, but the body of a response also fails when the signal aborts; see `endingBody`. */
export const endingFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const { signal } = init ?? {};
  if (!signal || answer.body === null) return answer;
  return new Response(endingBody(answer.body, signal), answer);
};
