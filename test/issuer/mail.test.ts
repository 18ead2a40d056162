/** Tests sending mail by SMTP to a server that supports only the commands that mail needs. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t, { type Test } from 'tap';
import { createMailer } from '../../src/issuer/mail.js';
import { testSettings } from '../sidecar/support.js';

interface Received {
  readonly commands: string[];
  readonly text: string;
}

/** Starts an SMTP server. @param refused a command that it answers with an error. */
const smtpServer = async (t: Test, refused?: string) => {
  const mails: Received[] = [];
  const server = createServer((socket) => {
    const commands: string[] = [];
    let text: string | null = null;
    let rest = '';
    socket.setEncoding('utf8').write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (text !== null && line !== '.') {
          text += `${line}\n`;
        } else if (text !== null) {
          mails.push({ commands, text });
          text = null;
          socket.write('250 taken\r\n');
        } else {
          commands.push(line);
          if (refused && line.startsWith(refused)) socket.write('550 no such mailbox\r\n');
          else if (line === 'DATA') socket.write('354 go on\r\n');
          else if (line === 'QUIT') socket.end('221 bye\r\n');
          else socket.write('250 fine\r\n');
          if (line === 'DATA') text = '';
        }
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    mails,
    send: createMailer(testSettings({ SMTP_URL: url, PUBLIC_URL: 'https://cochlea.example' })),
  };
};

const link = `https://cochlea.example/account/password?link=${'x'.repeat(43)}`;
const mail = { to: 'ann@example.org', subject: 'A subject', text: `A link:\n\n${link}\n` };

t.test('a mail goes to one address', async (t) => {
  const { mails, send } = await smtpServer(t);
  await send(mail);
  t.equal(mails.length, 1);
  const { commands, text } = mails[0]!;
  t.same(
    commands.filter((line) => /^(MAIL|RCPT)/.test(line)),
    ['MAIL FROM:<no-reply@cochlea.example>', 'RCPT TO:<ann@example.org>'],
  );
  t.match(text, /^Subject: A subject$/m);
  t.match(text, /^Auto-Submitted: auto-generated$/m);
  t.ok(text.replaceAll('=\n', '').replaceAll('=3D', '=').includes(link));
});

t.test('an address adds neither recipients nor headers', async (t) => {
  const { mails, send } = await smtpServer(t);
  for (const to of ['a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org']) {
    await send({ ...mail, to });
  }
  t.equal(mails.length, 2);
  for (const { commands, text } of mails) {
    t.ok(commands.filter((line) => line.startsWith('RCPT')).length <= 1);
    t.notMatch(text, /^Bcc:/im);
  }
});

t.test('a mail that is refused is an error', async (t) => {
  const { send } = await smtpServer(t, 'RCPT');
  await t.rejects(send(mail), { message: /550/ });
});
