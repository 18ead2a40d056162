import { endpoint } from './tool-support.js';

/** Client side of a stream of the older transport. */
export interface OlderStream {
  readonly status: number;
  /** Path to which the client posts its messages. Empty if the server refused the stream. */
  readonly path: string;
  readonly headers: Headers;
  /** Returns the next answer. @throws Error when the stream has ended. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the answer that it reads
  next(): Promise<any>;
  /** Resolves when the stream ends, with the text that `next` has not returned. */
  readonly ended: Promise<string>;
  leave(): void;
}

/** Opens a stream and waits for its first event. */
export const openOlder = async (
  base: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
  path = endpoint,
): Promise<OlderStream> => {
  const leaving = new AbortController();
  const answer = await fetch(base + path, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  const head = { status: answer.status, headers: answer.headers, leave: () => leaving.abort() };
  if (answer.status !== 200) {
    const text = await answer.text();
    return { ...head, path: '', ended: Promise.resolve(text), next: () => Promise.reject(new Error(text)) };
  }
  let text = '';
  let hasEnded = false;
  let news = (): void => undefined;
  const ended = (async () => {
    try {
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
        text += part;
        news();
      }
    } catch {
      // The server or the test closed the connection.
    }
    hasEnded = true;
    news();
    return text;
  })();
  const event = async (name: string): Promise<string> => {
    for (;;) {
      text = text.replace(/^(: [^\n]*\n\n)+/, '');
      const [whole, named, data] = /^event: (\w+)\ndata: ([^\n]*)\n\n/.exec(text) ?? [];
      if (whole !== undefined) {
        text = text.slice(whole.length);
        if (named !== name) throw new Error(`${named} instead of ${name}`);
        return data!;
      }
      if (hasEnded) throw new Error(`the stream has ended: ${text}`);
      await new Promise<void>((resolve) => {
        news = resolve;
      });
    }
  };
  return {
    ...head,
    ended,
    path: await event('endpoint'),
    next: async () => JSON.parse(await event('message')),
  };
};
