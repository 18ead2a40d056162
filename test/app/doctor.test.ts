/** `cochlea doctor` finds what the start would refuse. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadSettings } from '../../src/config/index.js';
import { modelsDirectory } from '../../src/models/index.js';
import { openFolder } from '../support/folder.js';

const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly finding: string;
}

const doctor = (settings: NodeJS.ProcessEnv): Promise<Finding[]> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...settings };
    execFile(process.execPath, [command, 'doctor', '--json'], { env }, (_error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr));
      else resolve(JSON.parse(stdout) as Finding[]);
    });
  });

t.test('a key that others may read, and a user that is not there', async (t) => {
  const folder = openFolder(t);
  mkdirSync(join(folder, 'tls'));
  const [certificate, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, 'tls', name)) as [
    string,
    string,
  ];
  writeFileSync(certificate, 'x');
  writeFileSync(key, 'x');
  chmodSync(key, 0o644);
  const findings = await doctor({
    COCHLEA_DATA_DIR: folder,
    COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
    PORT: '0',
    SIDECAR_PORT: '0',
    METRICS_PORT: '0',
    TLS_CERT: certificate,
    TLS_KEY: key,
    RUN_AS: 'no-such-user',
  });
  const of = (name: string): Finding | undefined => findings.find((finding) => finding.name === name);
  t.match(of('TLS'), { ok: false, finding: /TLS_KEY.*chmod o=/ });
  t.match(of('RUN_AS'), { ok: false, finding: /there is no no-such-user/ });
  t.match(of('disk'), { ok: true });
});

t.test('an origin that no browser sends is refused', async (t) => {
  for (const origin of ['app.example.org', 'https://app.example.org/path', 'https://', 'https://a b']) {
    t.throws(() => loadSettings({ ALLOWED_ORIGINS: origin }), { code: 'setting_invalid' }, origin);
  }
  for (const origin of ['*', 'https://app.example.org', 'http://localhost:3000', 'capacitor://localhost']) {
    t.same(loadSettings({ ALLOWED_ORIGINS: origin }).values.allowedOrigins, [origin]);
  }
});
