import { endingBody } from './ending-body.js';

/** `fetch` with responses that fail when their signal aborts, even while the body still arrives; see `endingBody`. */
export const endingFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const { signal } = init ?? {};
  if (!signal || answer.body === null) return answer;
  return new Response(endingBody(answer.body, signal), answer);
};
