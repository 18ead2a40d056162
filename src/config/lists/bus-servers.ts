/** Maximum number of addresses in `NATS_URL`. */
const mostServers = 16;

/**
 * Rule for the name of a machine on the bus. The name becomes part of NATS subjects, so it has no dots, blanks or
 * wildcards.
 */
export const busNameRule = 'a name has at most 64 letters, digits, "-" and "_"';

/** Checks a name by `busNameRule`. */
export const isBusName = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** Checks the value of `NATS_NAME`, which may be empty. @throws Error if the name is not valid. */
export const parseBusName = (text: string): string => {
  if (text !== '' && !isBusName(text)) throw new Error(busNameRule);
  return text;
};

/** A server of the bus. */
export interface BusServer {
  readonly tls: boolean;
  /** Address as `host:port`. An IPv6 address is in brackets. */
  readonly address: string;
  readonly hostname: string;
}

const parseServer = (text: string): BusServer => {
  const form = 'write tls://HOST:PORT, or nats://HOST:PORT on loopback';
  const scheme = /^(nats|tls):\/\//.exec(text)?.[1];
  // The scheme is replaced by http, because the class URL parses hosts of unknown schemes differently.
  const url = URL.canParse(text.replace(/^\w+:/, 'http:')) ? new URL(text.replace(/^\w+:/, 'http:')) : null;
  if (scheme === undefined || url === null) throw new Error(`an address is not valid; ${form}`);
  if (url.username !== '' || url.password !== '') {
    throw new Error('an address contains credentials; name a file in NATS_ENGINE_CREDENTIALS instead');
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Error(`an address has more than host and port; ${form}`);
  }
  const { hostname } = url;
  return { tls: scheme === 'tls', address: `${hostname}:${url.port || '4222'}`, hostname };
};

/**
 * Returns the servers of `NATS_URL`. An empty text means no servers.
 * @throws Error if an address is malformed or contains credentials, or if only some addresses use TLS.
 */
export const parseBusServers = (text: string): readonly BusServer[] => {
  const servers = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseServer);
  if (servers.length > mostServers) throw new Error(`at most ${mostServers} addresses`);
  if (new Set(servers.map(({ tls }) => tls)).size > 1) {
    throw new Error('either every address begins with tls:// or none');
  }
  return servers;
};
