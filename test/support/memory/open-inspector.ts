/**
 * This file is preloaded with `NODE_OPTIONS=--import=...`. It opens V8's inspector in the engine, on the port that
 * TEST_INSPECTOR_PORT names.
 */
import { open } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const port = Number(process.env.TEST_INSPECTOR_PORT);
if (isMainThread && process.argv[2] === 'engine') open(port, '127.0.0.1');
