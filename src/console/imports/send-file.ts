import type { Accepted, Progress, Transport } from '../importing/index.js';
import { Problem, problemOf, request } from '../shared/index.js';

/** Returns the headers of an answer in the form of `fetch`. */
const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers();
  for (const name of ['retry-after', 'x-request-id']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
};

/** Sends a form. Uses XMLHttpRequest, because `fetch` does not report how much is sent. @throws Problem */
const sendForm = (
  path: string,
  form: FormData,
  sent: (share: number) => void,
  signal: AbortSignal,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', `/console/api/${path}`);
    sending.setRequestHeader('x-cochlea-console', '1');
    sending.upload.addEventListener('progress', ({ loaded, total }) =>
      sent(total === 0 ? 0 : loaded / total),
    );
    sending.addEventListener('load', () => {
      const { status, responseText } = sending;
      resolve(new Response(status === 204 ? null : responseText, { status, headers: headersOf(sending) }));
    });
    sending.addEventListener('error', () => reject(new Problem(0, 'The connection was lost')));
    sending.addEventListener('abort', () => reject(new Problem(0, 'It was cancelled')));
    signal.addEventListener('abort', () => sending.abort());
    sending.send(form);
  });

/** Sends files to the service, and asks for their progress. */
export const transport: Transport<File> = {
  send: async (file, startedAt, sent, signal) => {
    const form = new FormData();
    form.append('files', file, file.name);
    const query = new URLSearchParams({ started_at: startedAt });
    const answer = await sendForm(`imports?${query}`, form, sent, signal);
    if (!answer.ok) throw await problemOf(answer);
    return (await answer.json()) as Accepted;
  },
  progress: async (job) => (await request<Progress>(`imports/${encodeURIComponent(job)}`)).body,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
  // Status 401 is temporary, because the user can sign in again in another tab.
  isPassing: (error) =>
    error instanceof Problem &&
    (error.status === 0 || error.status >= 500 || [401, 429].includes(error.status)),
};
