import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Query parameters of the redirect from the service. */
export interface Returned {
  readonly code?: string;
  readonly error?: string;
}

export interface Loopback {
  /** Redirect address for the browser. */
  readonly redirectUri: string;
  /** Resolves with the query of the redirect that contains this sign-in's `state`. All other requests are refused. */
  readonly returned: Promise<Returned>;
  close(): void;
}

const path = '/callback';

const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));

/**
 * Returns the query of a redirect to the expected path; null for every other target. The check is needed because any
 * local program can send requests to this listener.
 */
const sentWith = (target: string): URLSearchParams | null => {
  if (target === path) return new URLSearchParams();
  return target.startsWith(`${path}?`) ? new URLSearchParams(target.slice(path.length)) : null;
};

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`;

const answer = (response: ServerResponse, status: number, title: string, text: string): void => {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(page(title, text));
};

/** Listens on this machine for the browser's redirect after a sign-in (RFC 8252, 7.3). @param state identifies the sign-in. */
export const listenForReturn = async (state: string): Promise<Loopback> => {
  let settle: (returned: Returned) => void;
  const returned = new Promise<Returned>((resolve) => {
    settle = resolve;
  });
  let authority = '';
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const sent = sentWith(request.url ?? '');
    if (request.method !== 'GET' || sent === null || request.headers.host !== authority)
      return answer(response, 404, 'Not found', 'There is nothing here.');
    if (!isSame(sent.get('state') ?? '', state)) {
      return answer(response, 400, 'Not this sign-in', 'Begin again from the command line.');
    }
    const code = sent.get('code');
    const error = sent.get('error');
    if (code)
      answer(response, 200, 'You are signed in', 'Go back to the command line. This page can be closed.');
    else
      answer(response, 200, 'You are not signed in', 'Go back to the command line. This page can be closed.');
    settle(code ? { code } : { error: error ?? 'no code' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Errors of single connections, for example a lack of free descriptors, do not end the sign-in.
  server.on('error', () => undefined);
  authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redirectUri: `http://${authority}${path}`,
    returned,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
