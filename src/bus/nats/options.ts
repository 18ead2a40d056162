import { open } from 'node:fs/promises';
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { isLoopback, type SettingName, type Settings, settings as table } from '../../config/index.js';
import { parseBusServers } from '../../config/lists/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { type BusIdentity, type BusRole, inboxOf } from '../subjects/index.js';
import { publicKeyOf } from './keys.js';

/** Maximum number of bytes in a file of credentials. A file with a token has about a thousand. */
const largestCredentials = 65_536;

/** The setting with the credentials of a role. */
export const credentialsSetting = {
  engine: 'natsEngineCredentials',
  sidecar: 'natsSidecarCredentials',
} as const satisfies Record<BusRole, SettingName>;

const refuse = (name: SettingName, why: string, cause?: unknown): CochleaError =>
  new CochleaError('setting_invalid', { name: table[name].env, why }, { cause });

/** Returns a text that says how to give the user of this process access to a file. */
const forbidden = (path: string): string =>
  `the user of this process (${process.geteuid?.()}) cannot read ${path}; run "chgrp ${process.getegid?.()} ${path}" and "chmod g=r ${path}", and let this user enter its folder`;

/**
 * Reads a file of credentials. Mode and content are read through one descriptor, so that both belong to the same file.
 */
const readCredentials = async (name: SettingName, path: string): Promise<string> => {
  try {
    const file = await open(path, 'r');
    try {
      const { mode, size } = await file.stat();
      if ((mode & 0o007) !== 0) throw new Error(`every user may use it; run "chmod o= ${path}"`);
      if (size > largestCredentials) throw new Error('it is not a file of credentials');
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'EACCES') throw refuse(name, forbidden(path), thrown);
    throw refuse(name, `${path} cannot be used (${reasonOf(thrown)})`, thrown);
  }
};

const authenticatorOf = async (name: SettingName, path: string): Promise<Authenticator> => {
  const content = await readCredentials(name, path);
  const bytes = new TextEncoder().encode(content.trim());
  if (content.includes('BEGIN NATS USER JWT')) return credsAuthenticator(bytes);
  try {
    publicKeyOf(content);
  } catch (thrown) {
    throw refuse(name, `${path} contains neither an nkey seed nor a token with a seed`, thrown);
  }
  return nkeyAuthenticator(bytes);
};

/**
 * Returns the options of a connection. With tls:// the client refuses a server without TLS, and a certificate that no
 * accepted authority signed.
 * @throws CochleaError `setting_invalid` if the credentials of this role are missing or unusable.
 */
export const connectionOptions = async (
  settings: Settings,
  { role, name }: BusIdentity,
): Promise<ConnectionOptions> => {
  const servers = parseBusServers(settings.natsUrl);
  const path = settings[credentialsSetting[role]];
  if (path === '' && servers.some(({ hostname }) => !isLoopback(hostname))) {
    throw refuse(
      credentialsSetting[role],
      'NATS_URL is beyond loopback and needs credentials; "cochlea bus accounts" makes them',
    );
  }
  return {
    servers: servers.map(({ address }) => address),
    name: `cochlea ${role} ${name}`,
    inboxPrefix: inboxOf(role, name),
    tls: servers[0]!.tls ? { ...(settings.natsCa !== '' && { caFile: settings.natsCa }) } : null,
    ...(path !== '' && { authenticator: await authenticatorOf(credentialsSetting[role], path) }),
    // Servers tell clients the addresses of all servers of their cluster. Without TLS, only a server on this machine is
    // permitted, so the client ignores these addresses.
    ignoreClusterUpdates: !servers[0]!.tls,
    timeout: 5000,
    // A server that stops answering is noticed after 10 to 15 s.
    pingInterval: 5000,
    maxPingOut: 2,
    reconnect: true,
    maxReconnectAttempts: -1,
    // After a restart of the servers, the processes of a fleet reconnect at different moments within a second.
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    reconnectJitterTLS: 500,
    ignoreAuthErrorAbort: true,
  };
};
