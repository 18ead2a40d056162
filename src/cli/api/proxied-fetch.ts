import { refused } from '../terminal/index.js';

/** Addresses of this machine. Requests to them never use a proxy. */
const own = 'localhost,127.0.0.1,[::1]';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the value of an environment variable, with its name in lower or upper case; undefined if unset or empty. */
const variable = (env: Environment, name: string): string | undefined =>
  env[name] || env[name.toUpperCase()] || undefined;

/** Sends a request. */
export type Send = (request: Request) => Promise<Response>;

let known: { readonly named: string; readonly send: Promise<Send> } | undefined;

const through = async (
  http: string | undefined,
  https: string | undefined,
  without: string,
): Promise<Send> => {
  const { EnvHttpProxyAgent, fetch: send } = await import('undici');
  // An empty text means no proxy. If the option were absent, undici would read the environment's proxy variables.
  let dispatcher: InstanceType<typeof EnvHttpProxyAgent>;
  try {
    dispatcher = new EnvHttpProxyAgent({ httpProxy: http ?? '', httpsProxy: https ?? '', noProxy: without });
  } catch {
    throw refused(
      'HTTP_PROXY or HTTPS_PROXY is not the address of a proxy, such as http://proxy.example:3128.',
    );
  }
  return async (request) => {
    const { method, headers, redirect, signal } = request;
    // Without this check undici would also use the http:// proxy for https:// addresses.
    if ((request.url.startsWith('https:') ? https : http) === undefined) return fetch(request);
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const answer = await send(request.url, {
      method,
      headers: [...headers],
      redirect,
      signal,
      dispatcher,
      ...(body !== undefined && { body }),
    });
    return answer as unknown as Response;
  };
};

/**
 * Returns Node's `fetch`, or a `fetch` that uses the proxies of `HTTP_PROXY` and `HTTPS_PROXY`. Requests to this
 * machine and to addresses in `NO_PROXY` use no proxy. The proxy library is loaded only if a proxy is set.
 */
export const sendThroughProxy = (env: Environment): Send | Promise<Send> => {
  const [http, https] = [variable(env, 'http_proxy'), variable(env, 'https_proxy')];
  if (http === undefined && https === undefined) return fetch;
  const listed = variable(env, 'no_proxy') ?? '';
  // undici supports "*" only as the complete value.
  const without = listed.split(/[,\s]/).includes('*') ? '*' : `${own},${listed}`;
  const named = JSON.stringify([http, https, without]);
  if (known?.named !== named) known = { named, send: through(http, https, without) };
  return known.send;
};
