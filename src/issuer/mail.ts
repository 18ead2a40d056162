import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '../config/data-dir.js';
import type { Settings } from '../config/index.js';
import { publicAddress } from '../identity/index.js';

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
  const load = async () => (await import('nodemailer')).createTransport;
  if (settings.smtpUrl !== '') {
    const address = {
      url: settings.smtpUrl,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    return async ({ to, subject, text }) => {
      const transport = (await load())(address as never);
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    };
  }
  const folder = join(dataDirectory(settings), 'mail');
  return async ({ to, subject, text }) => {
    const transport = (await load())({ streamTransport: true, buffer: true, newline: 'unix' });
    const { message } = await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${Date.now()}-${randomUUID()}.eml`), message as Buffer, { mode: 0o600 });
  };
};
