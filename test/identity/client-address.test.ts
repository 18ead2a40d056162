import fc from 'fast-check';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { ClientAddresses } from '../../src/identity/client-address.js';

interface Case {
  readonly title: string;
  readonly trusted?: readonly string[];
  readonly peer: string;
  readonly chain?: string;
  readonly is: { address: string; group?: string; trusted?: boolean; exempt?: boolean };
}

const cases: Case[] = [
  {
    title: 'an untrusted peer',
    peer: '203.0.113.9',
    is: { address: '203.0.113.9', exempt: false, trusted: false },
  },
  {
    title: 'an untrusted peer that names another client counts as itself',
    peer: '203.0.113.9',
    chain: '10.0.0.1',
    is: { address: '203.0.113.9', trusted: false, exempt: false },
  },
  {
    title: 'an IPv4 address in the IPv6 form of the listener',
    peer: '0000:0000:0000:0000:0000:ffff:cb00:7109',
    is: { address: '203.0.113.9', group: '203.0.113.9' },
  },
  {
    title: 'IPv6 is counted by its /64',
    peer: '2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd',
    is: { address: '2001:db8:1:2:aaaa:bbbb:cccc:dddd', group: '2001:db8:1:2::/64' },
  },
  { title: 'only loopback is exempt', peer: '127.0.0.1', is: { address: '127.0.0.1', exempt: true } },
  {
    title: 'loopback in IPv6',
    peer: '0000:0000:0000:0000:0000:0000:0000:0001',
    is: { address: '::1', exempt: true },
  },
  {
    title: 'IPv4 loopback in IPv6',
    peer: '0000:0000:0000:0000:0000:ffff:7f00:0001',
    is: { address: '127.0.0.1', exempt: true },
  },
  {
    title: 'a client behind a proxy on this machine',
    peer: '127.0.0.1',
    chain: '203.0.113.9',
    is: { address: '203.0.113.9', trusted: true, exempt: false },
  },
  {
    title: 'entries that the client wrote are ignored, because they are left of its own address',
    peer: '127.0.0.1',
    chain: '127.0.0.1, 10.1.1.1, 203.0.113.9',
    is: { address: '203.0.113.9', exempt: false },
  },
  {
    title: 'two proxies',
    trusted: ['loopback', '10.0.0.0/8'],
    peer: '127.0.0.1',
    chain: '198.51.100.1,203.0.113.9, 10.0.0.7',
    is: { address: '203.0.113.9' },
  },
  {
    title: 'only proxies in the chain',
    trusted: ['loopback', '10.0.0.0/8'],
    peer: '127.0.0.1',
    chain: '10.0.0.9, 10.0.0.7',
    is: { address: '10.0.0.9', exempt: false },
  },
  {
    title: 'an invalid entry ends the search, without an exemption',
    peer: '127.0.0.1',
    chain: '203.0.113.9, unknown',
    is: { address: '127.0.0.1', exempt: false },
  },
  {
    title: 'a port after the address',
    peer: '::1',
    chain: '203.0.113.9:4711',
    is: { address: '203.0.113.9' },
  },
  {
    title: 'IPv6 in brackets',
    peer: '::1',
    chain: '[2001:db8::7]:443',
    is: { address: '2001:db8::7', group: '2001:db8::/64' },
  },
  { title: 'bare IPv6', peer: '::1', chain: '2001:db8::7', is: { address: '2001:db8::7' } },
  { title: 'a single number is not an address', peer: '::1', chain: '1', is: { address: '::1' } },
  {
    title: 'no trusted proxies',
    trusted: ['none'],
    peer: '127.0.0.1',
    chain: '203.0.113.9',
    is: { address: '127.0.0.1', trusted: false, exempt: false },
  },
  {
    title: 'a single trusted address',
    trusted: ['192.0.2.4'],
    peer: '192.0.2.4',
    chain: '203.0.113.9',
    is: { address: '203.0.113.9', trusted: true },
  },
  {
    title: 'no address at all',
    peer: '',
    is: { address: 'unknown', group: 'unknown', trusted: false, exempt: false },
  },
];
for (const { title, trusted = ['loopback'], peer, chain = '', is } of cases) {
  t.test(title, async (t) => {
    const addresses = new ClientAddresses(trusted);
    t.match(addresses.of(peer, chain), is);
    t.equal(addresses.trusts(peer), addresses.of(peer, chain).trusted);
  });
}

t.test('no forwarded chain replaces the address that the proxy appended', async (t) => {
  const addresses = new ClientAddresses(['loopback']);
  const check = () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.ipV4(), (sent, client) => {
        fc.pre(!client.startsWith('127.'));
        const found = addresses.of('127.0.0.1', `${sent}, ${client}`);
        return found.address === client && !found.exempt;
      }),
    );
  t.doesNotThrow(check);
});

t.test('any bytes in the forwarded chain give an address', async (t) => {
  const addresses = new ClientAddresses(['loopback']);
  const check = () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.ipV6(), fc.ipV4()),
        fc.string({ unit: 'binary' }),
        (peer, chain) => {
          const { address, group } = addresses.of(peer, chain);
          return address !== '' && group !== '';
        },
      ),
    );
  t.doesNotThrow(check);
});

t.test('an invalid trusted proxy is refused at the start', async (t) => {
  t.throws(() => loadSettings({ TRUSTED_PROXIES: 'loopback, balancer' }), {
    code: 'setting_invalid',
    details: { name: 'TRUSTED_PROXIES' },
  });
  t.same(loadSettings({ TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8, none' }).values.trustedProxies, [
    '10.0.0.0/8',
    'fd00::/8',
    'none',
  ]);
});
