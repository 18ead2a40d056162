import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Settings, settings as table } from '../config/index.js';
import { dataDirectory } from '../config/process/index.js';
import { CochleaError, reasonOf } from '../errors/index.js';

const fileName = 'issuer-secret';
const secretForm = /^[\x21-\x7e]{32,1024}$/;

const readSecret = async (path: string): Promise<string | null> => {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/**
 * Writes a new secret, unless another process has already written one. The secret is written to a temporary file, which
 * is then linked to the final name. So the file is complete when it appears under this name, and an existing file is
 * never replaced. If this process runs as root, the file gets the owner of the folder.
 */
const makeSecret = async (folder: string, path: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString('base64url')}\n`);
      const owner = await stat(folder);
      // Changes the owner through the open file, because another user could have replaced the path with a link.
      if (process.geteuid?.() === 0) await file.chown(owner.uid, owner.gid);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
};

/**
 * Returns the error for a secret file that exists but that this user may not read; undefined for every other failure.
 */
const unreadableSecret = async (path: string, cause: unknown): Promise<CochleaError | undefined> => {
  if (!['EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const named = (uid: number): string => (uid === 0 ? 'root' : String(uid));
  const details = { path, owner: named(found.uid), user: named(process.geteuid?.() ?? 0) };
  return new CochleaError('issuer_secret_unreadable', details, { cause });
};

/**
 * Returns the secret of the built-in issuer: `ISSUER_SECRET`, or a file in the data folder that the first use creates.
 * `SecretPurpose` lists its purposes. All signing processes on all machines need the same secret.
 * @throws CochleaError `issuer_secret_unreadable` if the file belongs to another user; `setting_invalid` if the secret
 *   cannot be read or created for another reason, or is too short.
 */
export const issuerSecret = async (settings: Pick<Settings, 'issuerSecret' | 'dataDir'>): Promise<string> => {
  if (settings.issuerSecret !== '') return settings.issuerSecret;
  const folder = dataDirectory(settings);
  const path = join(folder, fileName);
  try {
    let secret = await readSecret(path);
    if (secret === null) {
      await makeSecret(folder, path);
      secret = await readSecret(path);
    }
    if (secret !== null && secretForm.test(secret)) return secret;
  } catch (error) {
    const unreadable = await unreadableSecret(path, error);
    if (unreadable) throw unreadable;
    const why = `the secret in ${path} cannot be read or made (${reasonOf(error)})`;
    throw new CochleaError('setting_invalid', { name: table.issuerSecret.env, why }, { cause: error });
  }
  throw new CochleaError('setting_invalid', {
    name: table.issuerSecret.env,
    why: `${path} does not hold a secret of 32 characters or more`,
  });
};

/**
 * Purposes of keys derived from the secret. A key for one purpose reveals nothing about the keys for other purposes.
 */
export type SecretPurpose =
  | 'signing keys'
  | 'cookies'
  | 'form tokens'
  | 'known browsers'
  | 'upstream sign-in'
  | 'tool sessions'
  | 'photo links';

/** Derives a key of 32 bytes for one purpose (HKDF with SHA-256, RFC 5869). */
export const derivedKey = (secret: string, purpose: SecretPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `cochlea issuer: ${purpose}`, 32));
