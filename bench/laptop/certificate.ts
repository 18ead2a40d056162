/** A certificate for servers of a fleet beyond loopback. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Certificate } from './parts/nats.js';

/**
 * Makes a self-signed certificate for localhost and these addresses. NATS clients that connect to an address without a
 * name expect the name localhost, and servers of a cluster expect the address.
 */
export const makeCertificate = (folder: string, addresses: readonly string[]): Certificate => {
  const [cert, key] = [join(folder, 'nats.pem'), join(folder, 'nats.key')];
  const names = ['DNS:localhost', ...new Set(addresses.map((address) => `IP:${address}`))];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names.join(',')}`, '-days', '30'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-out', cert, '-keyout', key], { stdio: 'ignore' });
  return { cert, key };
};
