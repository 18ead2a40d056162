import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { refuseForwarded } from '../../../src/front/clients/forwarding-headers.js';

/** Returns a request with these headers, as the listener provides them: names in lower case, in order. */
const requestWith = (...headers: readonly [string, string][]) => ({
  getHeader: (wanted: unknown) => headers.find(([name]) => name === wanted)?.[1] ?? '',
  forEach: (visit: (name: string, value: string) => void) => {
    for (const [name, value] of headers) visit(name, value);
  },
});
const onTrial = loadSettings({ AUTH_MODE: 'uid' }).values;
const host: [string, string] = ['host', '127.0.0.1:8787'];

t.test('refuses requests that passed a proxy, only with AUTH_MODE=uid', async (t) => {
  const names = [
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'x-forwarded',
    'x-real-ip',
    'cf-connecting-ip',
    'true-client-ip',
  ];
  for (const name of names) {
    const request = requestWith(host, [name, '']);
    t.match(refuseForwarded(request, onTrial), { code: 'forwarded_refused', details: { header: name } });
    t.equal(refuseForwarded(request, loadSettings({}).values), null, name);
  }
  t.equal(refuseForwarded(requestWith(host, ['x-app-platform', 'ios']), onTrial), null);
});

t.test('answers only loopback host names with AUTH_MODE=uid', async (t) => {
  const good = [
    'localhost',
    'LOCALHOST:80',
    'a.localhost',
    '127.0.0.1',
    '127.9.0.1:8787',
    '[::1]',
    '[::1]:1',
  ];
  const bad = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '',
    'x@localhost',
  ];
  for (const name of good) t.equal(refuseForwarded(requestWith(['host', name]), onTrial), null, name);
  for (const name of bad) {
    t.match(refuseForwarded(requestWith(['host', name]), onTrial), { code: 'host_refused' }, name);
    t.equal(refuseForwarded(requestWith(['host', name]), loadSettings({}).values), null, name);
  }
  t.match(refuseForwarded(requestWith(), onTrial), { code: 'host_refused' }, 'no name');
  t.match(refuseForwarded(requestWith(host, ['host', 'evil.example']), onTrial), { code: 'host_refused' });
});
