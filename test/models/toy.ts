import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Test } from 'tap';
import type { ModelEntry, ModelSource } from '../../src/models/manifest/index.js';

/** Returns a folder that is removed after the test. */
export const scratch = (t: Test): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-models-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Returns a model called `toy` whose files have the given contents and sources. */
export const toyModel = (
  files: Record<string, { content: Buffer; sources: ModelSource[] }>,
): ModelEntry[] => [
  {
    name: 'toy',
    purpose: 'voice-activity',
    licence: 'MIT',
    origin: 'https://example.org',
    required: false,
    files: Object.entries(files).map(([name, { content, sources }]) => ({
      name,
      sha256: sha256(content),
      bytes: content.length,
      sources,
    })),
  },
];

/** Starts a web server on a free port. When the test ends, closes the connections that a fault left open. */
export const serve = async (t: Test, listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Makes a zip archive with deflated members, like a wheel. */
export const zip = (members: Record<string, Buffer>): Buffer => {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, place, Buffer.from(name));
    bodies.push(local);
    offset += local.length;
  }
  const count = Object.keys(members).length;
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06'), end]);
};
