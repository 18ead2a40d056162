import { endingBody } from './ending-body.js';

/** `fetch`, whose answers fail with their signal also while their body comes slowly; see `endingBody`. */
export const endingFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const { signal } = init ?? {};
  if (!signal || answer.body === null) return answer;
  return new Response(endingBody(answer.body, signal), answer);
};
