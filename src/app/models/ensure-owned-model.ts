import { fork } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CochleaError, type ErrorCode, type ErrorDetails, reasonOf } from '../../errors/index.js';
import { ensureModel, type ModelFiles, type ModelOptions, type ModelProgress } from '../../models/index.js';
import { accountOf } from '../privileges/index.js';

/** What the process that fetches is told. Everything in it survives a message between processes. */
export interface FetchRequest {
  readonly name: string;
  readonly options: Omit<ModelOptions, 'progress' | 'passedOver'>;
}

/** What that process reports. */
export type FetchReport =
  | { readonly kind: 'progress'; readonly progress: ModelProgress }
  | { readonly kind: 'passedOver'; readonly line: string }
  | { readonly kind: 'present'; readonly files: ModelFiles }
  | { readonly kind: 'failed'; readonly error: { readonly code: ErrorCode; readonly details: ErrorDetails } }
  | { readonly kind: 'broken'; readonly why: string };

/**
 * The user, if any, who can plant links where the files of a model will be written: the first owner other than root of the
 * data folder, the folder of models, and the folder of this model.
 */
const ownerOf = async (name: string, directory: string): Promise<number | undefined> => {
  for (const path of [dirname(directory), directory, join(directory, name)]) {
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && found.uid !== 0) return found.uid;
  }
  return undefined;
};

/**
 * Makes sure that a model is present, as `ensureModel`, with no more privileges than the owner of its folder has.
 *
 * Engines become an unprivileged user, whom `up` gives the folder of models. Were root to write there later, a link planted by
 * that user would make it write elsewhere; so a process that runs as the owner does it. Credentials of a package registry
 * that only root can read are not seen by that process.
 * @throws CochleaError as `ensureModel`; `file_unreadable` when the owner cannot run this program.
 */
export const ensureOwnedModel = async (name: string, options: ModelOptions): Promise<ModelFiles> => {
  const uid = process.geteuid?.() === 0 ? await ownerOf(name, options.directory) : undefined;
  return uid === undefined ? ensureModel(name, options) : ensureAs(uid, name, options);
};

const ensureAs = async (
  uid: number,
  name: string,
  { progress, passedOver, ...options }: ModelOptions,
): Promise<ModelFiles> => {
  const { uid: user, gid } = await accountOf(uid);
  const program = fileURLToPath(new URL('./ensure-model-process.js', import.meta.url));
  return new Promise((resolve, reject) => {
    // Its standard output is closed, because that of this process may be read by another program.
    const child = fork(program, [], {
      uid: user,
      gid,
      cwd: '/',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const fail = (why: string): void =>
      reject(new CochleaError('file_unreadable', { path: program, why: `as user ${uid}: ${why}` }));
    child.on('message', (report: FetchReport) => {
      if (report.kind === 'progress') progress?.(report.progress);
      else if (report.kind === 'passedOver') passedOver?.(report.line);
      else if (report.kind === 'present') resolve(report.files);
      else if (report.kind === 'failed') reject(CochleaError.fromJSON(report.error));
      else reject(new Error(report.why));
    });
    child.once('error', (error) => fail(reasonOf(error)));
    child.once('close', (code, signal) => fail(`ended with ${signal ?? code}`));
    child.send({ name, options } satisfies FetchRequest, (error) => {
      if (error) fail(reasonOf(error));
    });
  });
};
