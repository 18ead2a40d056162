import { X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { type SettingName, type Settings, settings as table } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';

/** Maximum number of bytes in a file. A certificate chain has only a few thousand bytes. */
const largestFile = 1_048_576;

const refuse = (name: SettingName, why: string, cause?: unknown): CochleaError =>
  new CochleaError('setting_invalid', { name: table[name].env, why }, { cause });

/** Reads content and mode of a file through one descriptor, so that both belong to the same file. */
const read = async (name: 'tlsCert' | 'tlsKey', path: string): Promise<{ pem: string; mode: number }> => {
  try {
    const file = await open(path, 'r');
    try {
      const { mode, size } = await file.stat();
      if (size > largestFile) throw new Error('it is not a PEM file');
      return { pem: await file.readFile('utf8'), mode };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw refuse(name, `${path} cannot be read (${reasonOf(thrown)})`, thrown);
  }
};

/**
 * Checks the listener's certificate and key before anything starts, because the listener's library would not describe a
 * faulty file.
 * @throws CochleaError `setting_invalid` if a file cannot be read or parsed, or if certificate and key do not match.
 * Also thrown if users other than the owner and its group may read the key.
 */
export const checkTlsFiles = async (
  settings: Pick<Settings, 'tlsCert' | 'tlsKey'>,
  log: Logger,
): Promise<void> => {
  if (settings.tlsCert === '') return;
  const certificate = await read('tlsCert', settings.tlsCert);
  const key = await read('tlsKey', settings.tlsKey);
  if ((key.mode & 0o007) !== 0) {
    throw refuse(
      'tlsKey',
      `every user of this machine may use ${settings.tlsKey}; run "chmod o= ${settings.tlsKey}"`,
    );
  }
  if ((key.mode & 0o020) !== 0) throw refuse('tlsKey', `its group may write ${settings.tlsKey}`);
  if ((key.mode & 0o040) !== 0) log.warn({ file: settings.tlsKey }, 'the group of TLS_KEY may read it');
  let first: X509Certificate;
  try {
    first = new X509Certificate(certificate.pem);
  } catch (thrown) {
    throw refuse('tlsCert', `${settings.tlsCert} holds no certificate`, thrown);
  }
  try {
    createSecureContext({ cert: certificate.pem, key: key.pem });
  } catch (thrown) {
    throw refuse('tlsKey', `${settings.tlsKey} is not the key of TLS_CERT`, thrown);
  }
  const until = new Date(first.validTo);
  if (until.getTime() < Date.now()) log.warn({ until }, 'the certificate of TLS_CERT has expired');
};
