import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout } from '../checkout.js';
import { endChild, lineOf } from '../fleet/child-process.js';
import { joined } from './vectors.js';

export interface NumpyAnswer {
  /** CPU time in ms for all queries. */
  readonly cpu: number;
  /** Wall time of each query in ms. */
  readonly milliseconds: readonly number[];
  /** For each query, the indices of the nearest vectors, best first. */
  readonly rows: readonly (readonly number[])[];
}

export interface Numpy {
  readonly versions: Readonly<Record<string, string>>;
  measure(): Promise<NumpyAnswer>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('bench/peers/search/nearest.py', checkout));
const timeout = 60_000;

/** Starts numpy in its own process with one thread, because the product's kernel also uses one. */
export const startNumpy = async (
  python: string,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): Promise<Numpy> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-numpy-'));
  const files = ['matrix', 'queries'].map((name) => join(folder, name));
  await writeFile(files[0]!, joined(vectors));
  await writeFile(files[1]!, joined(queries));
  const child = spawn(python, [program, ...files], {
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [first] = await lineOf(child, /^\{.*\}$/, timeout);
  return {
    versions: JSON.parse(first) as Record<string, string>,
    async measure() {
      const answer = lineOf(child, /^\{.*\}$/, timeout);
      child.stdin.write('measure\n');
      return JSON.parse((await answer)[0]) as NumpyAnswer;
    },
    async stop() {
      await endChild(child, timeout);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
