import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import { within } from '../../common/index.js';

/** Pattern of an address with three parts: scheme and credentials; hosts with ports; database and options. */
const form = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]+)(.*)$/;

/** Number of seconds within which a server must answer whether it takes writes. */
const answerTimeout = 3;

/** Checks whether a server takes writes. A server that does not answer takes none. */
const takesWrites = async (url: string): Promise<boolean> => {
  const sql = postgres(url, { max: 1, connect_timeout: answerTimeout, fetch_types: false });
  try {
    const asked = sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`;
    const [row] = await within(asked, 1000 * answerTimeout, () => []);
    return row?.standby === false;
  } catch {
    return false;
  } finally {
    void sql.end({ timeout: 0 }).catch(() => undefined);
  }
};

/**
 * Finds the server that takes writes among the hosts of an address. postgres.js can also try several hosts. But while
 * none of them accepts connections, it tries them without a pause, and statements wait instead of failing.
 */
export class PrimaryHost {
  readonly #urls: readonly string[];
  #known: string | undefined;
  #search: Promise<string | undefined> | undefined;
  #turn = 0;

  /** @param urls one address for each host, with only this host in it. */
  private constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /**
   * @param url as `postgres://user:password@a:5432,b:5432/name`.
   * @returns undefined if the address has only one host.
   */
  static of(url: string): PrimaryHost | undefined {
    const [, head = '', hosts = '', tail = ''] = form.exec(url) ?? [];
    if (!hosts.includes(',')) return undefined;
    return new PrimaryHost(
      hosts.split(',').map((host) => {
        const single = new URL(`${head}${host}${tail}`);
        single.searchParams.delete('target_session_attrs');
        return single.href;
      }),
    );
  }

  /**
   * Returns the address of the server that takes writes. If no server takes writes, returns the address of any server.
   */
  async url(): Promise<string> {
    this.#search ??= this.#find().finally(() => {
      this.#search = undefined;
    });
    this.#known ??= await this.#search;
    return this.#known ?? this.#urls[this.#turn++ % this.#urls.length]!;
  }

  /**
   * Opens a connection to the server that takes writes. After the connection has closed, the server is looked up again.
   */
  async open(): Promise<Socket> {
    const url = this.#known ?? (await this.url());
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port || 5432), hostname.replace(/^\[|\]$/g, ''));
    // The connection may fail before the client adds its listener, and an error without a listener would end the
    // process.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#known === url) this.#known = undefined;
    });
    return socket;
  }

  /** Asks all servers at once, so that a server that does not answer does not delay the search. */
  #find(): Promise<string | undefined> {
    const asked = this.#urls.map(async (url) => {
      if (await takesWrites(url)) return url;
      throw new Error('it takes no writes');
    });
    return Promise.any(asked).catch(() => undefined);
  }
}
