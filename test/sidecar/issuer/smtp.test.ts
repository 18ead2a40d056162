/**
 * Sends mail to a real SMTP server that is encrypted, plain, refusing, slow or unreachable. No page reveals whether a
 * mail was delivered.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import t, { type Test } from 'tap';
import { createMailer } from '../../../src/issuer/mail.js';
import { until } from '../../support/until.js';
import { testSettings } from '../support.js';
import { Browser, password, startIssuer } from './sign-in-support.js';

interface Received {
  readonly to: readonly string[];
  readonly text: string;
  readonly encrypted: boolean;
  readonly user: unknown;
}

const start = async (t: Test, options: SMTPServerOptions = {}) => {
  const received: Received[] = [];
  const given: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth({ username, password: secret }, _session, done) {
      given.push(`${username} ${secret}`);
      if (secret === 'right') done(null, { user: username });
      else done(new Error('no'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        received.push({
          to,
          text: Buffer.concat(chunks).toString(),
          encrypted: session.secure,
          user: session.user,
        });
        done();
      });
    },
    ...options,
  });
  // A client that rejects the certificate closes its connection, which the server reports as an error.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port, received, given };
};

const mail = { to: 'ann@example.org', subject: 'Subject', text: 'The text.' };
/** Accepts the self-signed certificate of the test's server. */
const trusting = '?tls.rejectUnauthorized=false';

t.test('sends mail with and without encryption and password', async (t) => {
  const starttls = await start(t);
  const plain = await start(t, { disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  const whole = await start(t, { secure: true });
  const cases: [name: string, server: typeof plain, url: string, sent: object | RegExp][] = [
    ['without encryption, to a server that has none', plain, 'smtp://', { encrypted: false }],
    ['with STARTTLS', starttls, `smtp://${trusting}`, { encrypted: true }],
    ['over TLS', whole, `smtps://${trusting}`, { encrypted: true }],
    ['with a password', starttls, `smtp://ann:right@${trusting}`, { encrypted: true, user: 'ann' }],
    ['with a wrong password', starttls, `smtp://ann:wrong@${trusting}`, /Invalid login/],
    ['with an untrusted certificate, STARTTLS', starttls, 'smtp://', /certificate/],
    ['with an untrusted certificate, TLS', whole, 'smtps://', /certificate/],
    ['with a password, to a server without encryption', plain, 'smtp://ann:right@', /STARTTLS|TLS/],
    [
      'with a password, without encryption, if the setting allows it',
      plain,
      'smtp://ann:right@?requireTLS=false',
      { encrypted: false, user: 'ann' },
    ],
  ];
  for (const [name, server, address, sent] of cases) {
    const [before, query = ''] = address.split('?');
    const url = `${before}127.0.0.1:${server.port}${query && `?${query}`}`;
    const send = createMailer(testSettings({ SMTP_URL: url, MAIL_FROM: 'no-reply@service.example' }));
    const [{ length }, told] = [server.received, server.given.length];
    if (sent instanceof RegExp) {
      await t.rejects(send(mail), sent, name);
      t.equal(server.received.length, length);
      if (server === plain) t.equal(server.given.length, told, 'the password was not sent');
      continue;
    }
    await send(mail);
    t.match(
      server.received.at(-1),
      { to: [mail.to], text: /From: no-reply@service\.example[\s\S]*The text\./, ...sent },
      name,
    );
  }
});

t.test('account pages with an SMTP server', async (t) => {
  let mode: 'takes' | 'refuses' | 'silent' = 'takes';
  const held: (() => void)[] = [];
  const { port, received } = await start(t, {
    onConnect(_session, done) {
      if (mode === 'silent') held.push(() => done());
      else done();
    },
    onRcptTo(_address, _session, done) {
      done(mode === 'refuses' ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null);
    },
  });
  const api = await startIssuer(t, { SMTP_URL: `smtp://127.0.0.1:${port}${trusting}` });
  const ask = async (email: string) => {
    const { status, text, url } = await new Browser(api.base).post('/account/link', { email });
    return { status, text, path: new URL(url).pathname };
  };
  const linkTo = (email: string) =>
    until(() => {
      const text = received.findLast(({ to }) => to.includes(email))?.text.replaceAll('=\r\n', '');
      return text && /link=(?:3D)?([\w-]{43})/.exec(text)?.[1];
    }, `a mail to ${email}`);

  t.test('the link in a mail creates an account', async (t) => {
    await ask('ann@example.org');
    const link = await linkTo('ann@example.org');
    const browser = new Browser(api.base);
    t.equal((await browser.post('/account/password', { link, password })).status, 200);
    t.match(await browser.signIn(await browser.get('/account'), 'ann@example.org'), {
      text: /ann@example\.org/,
    });
  });

  for (const kind of ['refuses', 'silent'] as const) {
    t.test(
      `pages do not reveal an SMTP server that ${kind === 'silent' ? 'does not respond' : kind}`,
      async (t) => {
        mode = 'takes';
        const usual = await ask('other@example.org');
        mode = kind;
        const { length } = received;
        // Each request is answered while its mail still waits for the SMTP server.
        for (const email of ['ann@example.org', 'new@example.org', 'no address'])
          t.same(await ask(email), usual, email);
        if (kind === 'silent') await until(() => held.length >= 2, 'the SMTP server has two connections');
        t.ok(received.length <= length + 1);
        mode = 'takes';
        for (const go of held.splice(0)) go();
        await ask('later@example.org');
        await linkTo('later@example.org');
      },
    );
  }
});

t.test('pages do not reveal an unreachable SMTP server', async (t) => {
  const api = await startIssuer(t, { SMTP_URL: 'smtp://127.0.0.1:9' });
  for (const email of ['ann@example.org', 'new@example.org']) {
    const { status, text } = await new Browser(api.base).post('/account/link', { email });
    t.match({ status, text }, { status: 200, text: /Check your mail/ });
  }
  t.equal((await fetch(`${api.base}/health/live`, { method: 'HEAD' })).status, 200);
  await t.rejects(createMailer(api.settings)(mail), /ECONNREFUSED/);
});
