import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * Length in bits of the IPv6 prefix that internet providers assign to one subscriber. Limits by address count all
 * addresses with the same prefix together.
 */
const subscriberBits = 64;
/** Maximum number of entries of the `X-Forwarded-For` headers that are read, from the right end. */
const longestChain = 16;
const longestChainText = 1024;
const loopbackNetworks = ['127.0.0.0/8', '::1/128'];

/** The address of a client, and how limits by address treat the client. */
export interface ClientAddress {
  /** Canonical text; IPv4-mapped addresses are written as IPv4. `unknown` if the listener gives no address. */
  readonly address: string;
  /** Key with which limits by address count the client: the IPv4 address, or the /64 prefix of the IPv6 address. */
  readonly group: string;
  /** Whether the peer is a declared proxy (`TRUSTED_PROXIES`) with trusted forwarding headers. */
  readonly trusted: boolean;
  /**
   * Whether the peer is trusted and sends no forwarding headers. Such a peer is the client itself, for example a load
   * generator or an operator on this machine. Limits by address do not apply to it.
   */
  readonly exempt: boolean;
}

const parsed = (text: string): Address | null => {
  // The library ipaddr.js would accept `1` and `0x7f.1` as addresses. They are refused, because listeners and
  // proxies write addresses in full.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !text.includes(':')) return null;
  try {
    return ipaddr.process(text);
  } catch {
    return null;
  }
};

/** Parses an entry of `X-Forwarded-For`: an address with an optional port. */
const entryAddress = (entry: string): Address | null => {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry);
  if (bracketed) return parsed(bracketed[1]!);
  const ported = /^([\d.]+):\d{1,5}$/.exec(entry);
  return parsed(ported ? ported[1]! : entry);
};

/**
 * Returns the key with which limits by address count an address: the IPv4 address, or the /64 prefix of the IPv6
 * address.
 */
const groupOf = (address: Address): string => {
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray().fill(0, subscriberBits / 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/${subscriberBits}`;
};

const networkOf = (text: string): Network =>
  text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), text.includes(':') ? 128 : 32];

/**
 * Finds the client address of a connection or request, also if declared proxies are in between. Every limit by address
 * counts by the client's `group`.
 */
export class ClientAddresses {
  readonly #networks: readonly Network[];

  /** @param trustedProxies items of `TRUSTED_PROXIES`. */
  constructor(trustedProxies: readonly string[]) {
    this.#networks = trustedProxies
      .filter((word) => word !== 'none')
      .flatMap((word) => (word === 'loopback' ? loopbackNetworks : [word]))
      .map(networkOf);
  }

  /** Checks whether forwarding headers of this peer are trusted. */
  trusts(peer: string): boolean {
    const address = parsed(peer);
    return address !== null && this.#trusted(address);
  }

  /**
   * Finds the client behind a peer.
   * @param peer address of the connection, as text.
   * @param chain values of all `X-Forwarded-For` headers in order, joined by commas; empty if there are none. Each
   *   proxy appends the address of its peer, so the chain is read from the right. The first address that is not a
   *   declared proxy is the client. Entries to the left of it come from the client and are not trusted.
   */
  of(peer: string, chain: string): ClientAddress {
    const address = parsed(peer);
    if (address === null) return { address: 'unknown', group: 'unknown', trusted: false, exempt: false };
    const trusted = this.#trusted(address);
    const client = trusted ? this.#behind(address, chain) : address;
    return {
      address: client.toString(),
      group: groupOf(client),
      trusted,
      exempt: trusted && chain.trim() === '',
    };
  }

  #behind(peer: Address, chain: string): Address {
    const entries = chain.slice(-longestChainText).split(',').slice(-longestChain);
    let client = peer;
    for (const entry of entries.reverse()) {
      const address = entryAddress(entry.trim());
      if (address === null) return client;
      client = address;
      if (!this.#trusted(address)) return client;
    }
    return client;
  }

  #trusted(address: Address): boolean {
    return this.#networks.some(
      (network) => network[0].kind() === address.kind() && address.match(network as never),
    );
  }
}
