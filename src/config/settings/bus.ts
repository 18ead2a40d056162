import { z } from 'zod';
import { parseBusName, parseBusServers } from '../lists/index.js';
import { list, parsedText, type Setting, setting, text, textLike } from './setting.js';

/** Settings of the bus of a fleet: NATS servers that carry events between engines and sidecars. */
export const busSettings = {
  natsUrl: setting(
    'NATS_URL',
    parsedText(parseBusServers),
    'Addresses of the NATS servers, separated by commas: tls://HOST:4222, or nats://127.0.0.1:4222 on loopback. Empty: events travel through the database.',
  ),
  natsName: setting(
    'NATS_NAME',
    parsedText(parseBusName),
    'Name of this machine on the bus, for which its credentials were made. Without credentials it may be empty.',
  ),
  natsEngineCredentials: setting(
    'NATS_ENGINE_CREDENTIALS',
    text(''),
    'File with the credentials of an engine: an nkey seed from "cochlea bus accounts", or a .creds file. Required beyond loopback.',
  ),
  natsSidecarCredentials: setting(
    'NATS_SIDECAR_CREDENTIALS',
    text(''),
    'File with the credentials of the sidecar, as NATS_ENGINE_CREDENTIALS.',
  ),
  natsCa: setting(
    'NATS_CA',
    text(''),
    'File with the certificates (PEM) of the authority that signed those of the NATS servers; empty: the authorities of Node.js.',
  ),
  natsMonitors: setting(
    'NATS_MONITORS',
    list(''),
    'Addresses of the monitoring pages of the NATS servers, as http://HOST:8222. Only "cochlea doctor" reads them.',
  ),
  spillKey: setting(
    'SPILL_KEY',
    textLike(/^$|^[\x21-\x7e]{32,1024}$/, 'must be 32 characters or more, without spaces'),
    'Secret that encrypts copies of the spill on the bus. It must be the same on every machine. Empty: while the database is unavailable, transcripts are only on the disk of the engine.',
    { secret: true },
  ),
  minDurability: setting(
    'MIN_DURABILITY',
    z.enum(['disk', 'stream']).default('disk'),
    'Where words must be before a client gets them, while the database is unavailable. disk: on the disk of the engine. stream: on the bus, too; needs NATS_URL and SPILL_KEY.',
  ),
} as const satisfies Record<string, Setting>;
