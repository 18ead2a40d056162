import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import type { Test } from 'tap';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { until } from './until.js';

/** moto (Apache-2.0, from PyPI), in the Python environment that `.ci/run` creates. */
const program = join(packageDirectory(), 'build', 'moto', 'bin', 'moto_server');
const python = join(packageDirectory(), 'build', 'moto', 'bin', 'python3');
const start = join(packageDirectory(), 'test', 'support', 'moto-server.py');

/** Reason why tests with moto's server are skipped, or false if they run. */
export const withoutMoto: string | false = existsSync(program)
  ? false
  : 'moto is not installed: python3 -m venv build/moto && build/moto/bin/pip install -r test/support/moto.txt';

/** An S3-compatible server with one bucket and one pair of keys. */
export interface Moto {
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * The server accepts this many requests without a signature, for its set-up. It checks the signatures of all later
 * requests.
 */
const setUp = 4;

/** Starts moto's server. It ends with the test. */
export const startMoto = async (t: Test): Promise<Moto> => {
  const port = await freePort();
  const child = spawn(python, [start, '-H', '127.0.0.1', '-p', String(port)], {
    env: { ...process.env, INITIAL_NO_AUTH_ACTION_COUNT: String(setUp) },
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  const address = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${address}/moto-api/`)
      .then(({ ok }) => ok)
      .catch(() => false),
  );
  const client = (service: string) =>
    new AwsClient({ accessKeyId: 'any', secretAccessKey: 'any', region: 'us-east-1', service, retries: 0 });
  const iam = async (form: Record<string, string>): Promise<string> => {
    const answer = await client('iam').fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, UserName: 'cochlea', Version: '2010-05-08' }).toString(),
    });
    return answer.text();
  };
  await iam({ Action: 'CreateUser' });
  const all = { Effect: 'Allow', Action: 's3:*', Resource: '*' };
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [all] });
  await iam({ Action: 'PutUserPolicy', PolicyName: 'all', PolicyDocument: policy });
  const keys = await iam({ Action: 'CreateAccessKey' });
  const bucket = `${address}/words`;
  await client('s3').fetch(bucket, { method: 'PUT' });
  const elementOf = (name: string): string => new RegExp(`<${name}>([^<]+)<`).exec(keys)![1]!;
  return { bucket, accessKey: elementOf('AccessKeyId'), secretKey: elementOf('SecretAccessKey') };
};
