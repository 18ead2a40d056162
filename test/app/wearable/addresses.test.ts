import t from 'tap';
import { engineAddresses } from '../../../src/app/addresses/addresses.js';
import { publicAddress } from '../../../src/config/public-address.js';

const cases: [host: string, publicUrl: string, tlsCert: string, base: string, stream: string][] = [
  ['127.0.0.1', '', '', 'http://127.0.0.1:8787', 'ws://127.0.0.1:8787/v4/listen'],
  ['0.0.0.0', '', '', 'http://127.0.0.1:8787', 'ws://127.0.0.1:8787/v4/listen'],
  ['::', '', '', 'http://127.0.0.1:8787', 'ws://127.0.0.1:8787/v4/listen'],
  ['::1', '', '', 'http://[::1]:8787', 'ws://[::1]:8787/v4/listen'],
  ['[::1]', '', '', 'http://[::1]:8787', 'ws://[::1]:8787/v4/listen'],
  ['audio.test', '', 'cert.pem', 'https://audio.test:8787', 'wss://audio.test:8787/v4/listen'],
  ['10.0.0.1', 'https://audio.test//', '', 'https://audio.test', 'wss://audio.test/v4/listen'],
];

t.test('clients of streams and of the token issuer use the same addresses', async (t) => {
  for (const [host, publicUrl, tlsCert, base, stream] of cases) {
    const settings = { host, publicUrl, tlsCert };
    t.same(engineAddresses(settings, 8787), { base, stream }, `${host} ${publicUrl}`);
    t.equal(publicAddress({ ...settings, port: 8787 }), base);
  }
});
