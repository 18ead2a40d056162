import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicAddress, type Settings } from '../config/index.js';
import { dataDirectory } from '../config/process/index.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Ms that a mail server may take for each step. */
const timeout = 10_000;

/**
 * Makes what sends mail: by SMTP where `SMTP_URL` is set, else into files of the data folder, which only their owner may read.
 * Nothing but plain text is sent, to one address; a name of a user is never part of it.
 */
export const createMailer = (settings: Settings): ((mail: Mail) => Promise<void>) => {
  const from = settings.mailFrom || `no-reply@${new URL(publicAddress(settings)).hostname}`;
  if (settings.smtpUrl !== '') {
    const { password, searchParams } = new URL(settings.smtpUrl);
    const address = {
      url: settings.smtpUrl,
      // Who stands between could otherwise hide that the server encrypts, and read the password.
      ...(password !== '' && !searchParams.has('requireTLS') && { requireTLS: true }),
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    return async ({ to, subject, text }) => {
      const transport = (await import('nodemailer')).createTransport(address as never);
      // Asks programs that answer mail not to.
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, headers });
    };
  }
  const folder = join(dataDirectory(settings), 'mail');
  return async ({ to, subject, text }) => {
    // Not encoded, so that a link can be copied from the file.
    const kind = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit';
    const message = `From: ${from}\nTo: ${to}\nSubject: ${subject}\n${kind}\n\n${text}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${Date.now()}-${randomUUID()}.eml`), message, { mode: 0o600 });
  };
};
