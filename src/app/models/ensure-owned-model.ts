import { fork } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CochleaError, type ErrorCode, type ErrorDetails, reasonOf } from '../../errors/index.js';
import { ensureModel, type ModelFiles, type ModelOptions, type ModelProgress } from '../../models/index.js';
import { accountOf } from '../privileges/index.js';

/** Request to the fetching process. It contains only values that can be sent between processes. */
export interface FetchRequest {
  readonly name: string;
  readonly options: Omit<ModelOptions, 'progress' | 'passedOver'>;
}

/** Report of the fetching process. */
export type FetchReport =
  | { readonly kind: 'progress'; readonly progress: ModelProgress }
  | { readonly kind: 'passedOver'; readonly line: string }
  | { readonly kind: 'present'; readonly files: ModelFiles }
  | { readonly kind: 'failed'; readonly error: { readonly code: ErrorCode; readonly details: ErrorDetails } }
  | { readonly kind: 'broken'; readonly why: string };

/**
 * Returns the id of a user who could create links in the folders to which model files are written. Returns undefined if
 * there is no such user. Looks at the owners of the data folder, the models folder and this model's folder, in this
 * order. Returns the first owner other than root.
 */
const ownerOf = async (name: string, directory: string): Promise<number | undefined> => {
  for (const path of [dirname(directory), directory, join(directory, name)]) {
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && found.uid !== 0) return found.uid;
  }
  return undefined;
};

/**
 * Ensures that a model is present, like `ensureModel`, with only the privileges of the folder's owner.
 *
 * Engines run as an unprivileged user, and `up` gives that user the models folder. If root wrote there later, a link
 * that this user has created could redirect the write. Therefore a child process with the owner's rights writes the
 * files. It cannot use package registry credentials that only root can read.
 * @throws CochleaError as `ensureModel`; `file_unreadable` if the owner cannot run this program.
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
    // The child gets no standard output, because another program may read this process's standard output.
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
