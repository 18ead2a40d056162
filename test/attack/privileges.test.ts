/**
 * When root starts the product, the processes that accept network connections run as a different user. They cannot
 * become root again.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { openFolder } from '../support/folder.js';
import { serviceOnTestDatabase, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const cochlea = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));
const skip = process.getuid?.() === 0 ? false : 'only root can give privileges up';

/** Returns a free port below 1024. */
const lowPort = async (): Promise<number> => {
  for (let port = 1023; port > 600; port--) {
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error('no port below 1024 is free');
};

/**
 * Returns the rights of a process from /proc: user and group ids (real, effective, saved, file system), groups,
 * capabilities.
 */
const standing = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): string =>
    new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'm').exec(status)![1]!.replace(/\s+/g, ' ');
  const numbers = (name: string): number[] => field(name).split(' ').map(Number);
  return { uids: numbers('Uid'), gids: numbers('Gid'), groups: field('Groups'), able: field('CapEff') };
};

t.test('engine, sidecar and transcriber give up root permanently', { skip }, async (t) => {
  const port = await lowPort();
  // With one decoder there is exactly one process of each kind to check.
  const service = await startService(t, { PORT: String(port), TRANSCRIBER_CONCURRENCY: '1' });
  const kinds = ['cochlea.js engine', 'cochlea.js sidecar', 'cochlea.js transcriber', 'decoder-process'];

  const check = async (): Promise<void> => {
    for (const kind of kinds) {
      const [pid] = await until(() => {
        const found = service.processes(kind);
        return found.length === 1 && found;
      }, kind);
      const { uids, gids, groups, able } = standing(pid!);
      t.ok(
        uids.every((uid) => uid !== 0 && uid === uids[0]),
        `${kind}: ${uids.join()}`,
      );
      t.ok(
        gids.every((gid) => gid !== 0 && gid === gids[0]),
        `${kind}: groups ${gids.join()}`,
      );
      t.equal(groups, String(gids[0]), 'no other groups');
      t.match(able, /^0+$/, 'no capabilities');
    }
  };
  await check();
  const user = await service.user('user');
  const { pcm, rate } = await scene([3]);
  const wearable = await service.wearable(user);
  await wearable.send(encodeFrames({ rate, pcm }, 'opus', 16_000), 2);
  await until(() => /amiable/i.test(wearable.transcript.text), 'transcription works as the other user');
  await wearable.close();

  const [engine] = service.processes('cochlea.js engine');
  process.kill(engine!, 'SIGKILL');
  await until(
    async () =>
      service.processes('cochlea.js engine').some((pid) => pid !== engine) &&
      (await fetch(`http://127.0.0.1:${port}/engine/health/ready`).catch(() => undefined))?.ok,
    'another engine takes over the port',
  );
  await check();

  t.equal(statSync(service.dataDir).uid, 0, 'the data folder still belongs to root');
  const [uid] = standing(service.processes('cochlea.js engine')[0]!).uids;
  for (const folder of ['spill', 'audio']) t.equal(statSync(join(service.dataDir, folder)).uid, uid, folder);
});

t.test('SIGUSR1 opens no debugger', async (t) => {
  const service = await serviceOnTestDatabase(t, { COCHLEA_STT: 'discard' });
  const pids = ['cochlea.js engine', 'cochlea.js sidecar'].flatMap((words) => service.processes(words));
  t.equal(pids.length, 2);
  for (const pid of [...pids, service.pid]) process.kill(pid, 'SIGUSR1');
  // If a debugger had started, its message would be in the log by the end of this orderly close.
  await service.stop();
  t.notMatch(readFileSync(service.logFile, 'utf8'), /Debugger listening|Starting inspector/);
});

t.test('an impossible RUN_AS is refused or logged', { skip }, async (t) => {
  const folder = openFolder(t);
  const closed = openFolder(t);
  chmodSync(closed, 0o700);
  const attempt = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [cochlea, 'sidecar'], {
      env: {
        ...process.env,
        COCHLEA_DATA_DIR: folder,
        SIDECAR_PORT: '0',
        DATABASE_URL: 'postgres://127.0.0.1:1/none',
        LOG_LEVEL: 'warn',
        ...env,
      },
      encoding: 'utf8',
    }).stderr;
  t.match(attempt({ RUN_AS: 'no-such-user' }), /Setting RUN_AS is not valid: there is no no-such-user/);
  t.match(attempt({ RUN_AS: 'nobody:no-such-group' }), /Setting RUN_AS is not valid/);
  t.match(
    attempt({ RUN_AS: 'nobody', COCHLEA_MODELS_DIR: closed }),
    /Setting RUN_AS is not valid: user nobody cannot read/,
  );
  t.match(
    attempt({ RUN_AS: 'nobody', COCHLEA_DATA_DIR: join(closed, 'data') }),
    /RUN_AS .*cannot pass through/,
  );
  t.match(attempt({ COCHLEA_MODELS_DIR: closed }), /"obstacle":"user \w+ cannot read.*run as root/);
  t.notMatch(
    attempt({ COCHLEA_MODELS_DIR: closed, RUN_AS: 'root' }),
    /run as root/,
    'RUN_AS=root is accepted without a message',
  );
});
