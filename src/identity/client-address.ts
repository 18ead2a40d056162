import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Bits of the IPv6 prefix that providers assign to one subscriber as a whole; limits count by this prefix. */
const subscriberBits = 64;
/** Entries of a forwarding chain that are looked at, from its right end. */
const longestChain = 16;
const longestChainText = 1024;
const loopbackNetworks = ['127.0.0.0/8', '::1/128'];

/** From which address a connection or request comes, and how limits treat it. */
export interface ClientAddress {
  /** Canonical text; an IPv4-mapped address is written as IPv4. `unknown` where the listener does not give an address. */
  readonly address: string;
  /** What limits by address count by: an IPv4 address, or the /64 of an IPv6 address. */
  readonly group: string;
  /** The peer is a declared proxy (`TRUSTED_PROXIES`), so its forwarding headers are believed. */
  readonly trusted: boolean;
  /**
   * The peer is trusted and names no client in its headers: the peer is the client itself, and limits by address do not
   * apply to it. A load generator or an operator on this machine is such a peer.
   */
  readonly exempt: boolean;
}

const parsed = (text: string): Address | null => {
  // The library would accept `1` and `0x7f.1` as addresses, but listeners and proxies write addresses in full.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !text.includes(':')) return null;
  try {
    return ipaddr.process(text);
  } catch {
    return null;
  }
};

/** An entry of `X-Forwarded-For`: an address, perhaps with a port. */
const entryAddress = (entry: string): Address | null => {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry);
  if (bracketed) return parsed(bracketed[1]!);
  const ported = /^([\d.]+):\d{1,5}$/.exec(entry);
  return parsed(ported ? ported[1]! : entry);
};

/** The /64 of an IPv6 address, or an IPv4 address itself: what limits by address count by. */
const groupOf = (address: Address): string => {
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray().fill(0, subscriberBits / 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/${subscriberBits}`;
};

const networkOf = (text: string): Network =>
  text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), text.includes(':') ? 128 : 32];

/**
 * Finds the client address of a connection or request, also behind declared proxies. All limits by address use it: limits
 * of sockets, of the pass-through and of REST routes count by its `group`.
 */
export class ClientAddresses {
  readonly #networks: readonly Network[];

  /** @param trustedProxies words of `TRUSTED_PROXIES`. */
  constructor(trustedProxies: readonly string[]) {
    this.#networks = trustedProxies
      .filter((word) => word !== 'none')
      .flatMap((word) => (word === 'loopback' ? loopbackNetworks : [word]))
      .map(networkOf);
  }

  /** Whether forwarding headers of this peer are believed. */
  trusts(peer: string): boolean {
    const address = parsed(peer);
    return address !== null && this.#trusted(address);
  }

  /**
   * The client behind a peer.
   * @param peer text of the address the connection comes from.
   * @param chain values of all its `X-Forwarded-For` headers in their order, joined by commas; empty without any. Proxies
   *   append their peer, so it is read from the right: the first address that is not a declared proxy is the client.
   *   Whatever stands to the left of it was sent by the client and is not trusted.
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
