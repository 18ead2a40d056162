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

/** Timeout in ms for each step of the exchange with the mail server. */
const timeout = 10_000;

/**
 * Creates a function that sends mails by SMTP. If `SMTP_URL` is not set, the function writes mails to files in the data
 * folder instead, which only their owner can read. Mails are plain text to one address, and never contain a user's
 * name.
 */
export const createMailer = (settings: Settings): ((mail: Mail) => Promise<void>) => {
  const from = settings.mailFrom || `no-reply@${new URL(publicAddress(settings)).hostname}`;
  if (settings.smtpUrl !== '') {
    const { password, searchParams } = new URL(settings.smtpUrl);
    const address = {
      url: settings.smtpUrl,
      // Requires TLS if the address has a password. Otherwise an attacker in the network could suppress encryption and
      // read the password.
      ...(password !== '' && !searchParams.has('requireTLS') && { requireTLS: true }),
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    return async ({ to, subject, text }) => {
      const transport = (await import('nodemailer')).createTransport(address as never);
      // This header asks automatic responders not to answer.
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, headers });
    };
  }
  const folder = join(dataDirectory(settings), 'mail');
  return async ({ to, subject, text }) => {
    // The text is not encoded, so that a person can copy a link from the file.
    const kind = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit';
    const message = `From: ${from}\nTo: ${to}\nSubject: ${subject}\n${kind}\n\n${text}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${Date.now()}-${randomUUID()}.eml`), message, { mode: 0o600 });
  };
};
