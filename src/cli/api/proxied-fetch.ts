import { CommandFailure } from '../terminal/index.js';

/** Addresses of this machine, which no proxy is asked for. */
const own = 'localhost,127.0.0.1,[::1]';

type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable, in small or capital letters; undefined for none and for an empty one. */
const variable = (env: Environment, name: string): string | undefined =>
  env[name] || env[name.toUpperCase()] || undefined;

/** Sends a request as it is. */
export type Send = (request: Request) => Promise<Response>;

let known: { readonly named: string; readonly send: Promise<Send> } | undefined;

const through = async (
  http: string | undefined,
  https: string | undefined,
  without: string,
): Promise<Send> => {
  const { EnvHttpProxyAgent, fetch: send } = await import('undici');
  // An empty text is no proxy; left out, the library would read the variables of the process.
  let dispatcher: InstanceType<typeof EnvHttpProxyAgent>;
  try {
    dispatcher = new EnvHttpProxyAgent({ httpProxy: http ?? '', httpsProxy: https ?? '', noProxy: without });
  } catch {
    throw new CommandFailure(
      'refused',
      'HTTP_PROXY or HTTPS_PROXY is no address of a proxy, such as http://proxy.example:3128.',
    );
  }
  return async (request) => {
    const { method, headers, redirect, signal } = request;
    // The library would take the one for http:// for https://, too.
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
 * Node's `fetch`, or one that goes through the proxy which `HTTP_PROXY` or `HTTPS_PROXY` names for an address, except to those of `NO_PROXY` and to
 * this machine. What reaches the proxy is loaded only where one is named.
 */
export const sendThroughProxy = (env: Environment): Send | Promise<Send> => {
  const [http, https] = [variable(env, 'http_proxy'), variable(env, 'https_proxy')];
  if (http === undefined && https === undefined) return fetch;
  const listed = variable(env, 'no_proxy') ?? '';
  // The library knows "*" only where it stands alone.
  const without = listed.split(/[,\s]/).includes('*') ? '*' : `${own},${listed}`;
  const named = JSON.stringify([http, https, without]);
  if (known?.named !== named) known = { named, send: through(http, https, without) };
  return known.send;
};
