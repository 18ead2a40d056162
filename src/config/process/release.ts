import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectory } from './data-dir.js';

/** Version of this package. */
export const release = (
  JSON.parse(readFileSync(join(packageDirectory(), 'package.json'), 'utf8')) as { version: string }
).version;
