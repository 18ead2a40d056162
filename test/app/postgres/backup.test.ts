/** A copy of the data folder of a stopped service is a backup. A service that starts on the copy has all data. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { startService } from '../../support/service.js';

const run = promisify(execFile);

t.test('restores a copy of the stopped service', { timeout: 240_000 }, async (t) => {
  // The service only reads stored data, so no speech needs a transcript.
  const settings = { COCHLEA_STT: 'discard' };
  const first = await startService(t, settings);
  const user = await first.user('ann');
  const key = await first.developerKey('ann');
  const conversations = '/v1/dev/user/conversations';
  const call = async (base: string, path: string, credential: string, body?: object): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    t.equal(answer.status, 200, path);
    return answer.json();
  };
  const said = { text: 'We discussed the budget of the garden project.', start: 0, end: 3 };
  await call(first.base, `${conversations}/from-segments`, key, { transcript_segments: [said] });
  await call(first.base, '/v1/dev/user/memories', key, { content: 'Grows tomatoes.' });
  const everything = async (base: string): Promise<unknown[]> =>
    Promise.all([
      call(base, `${conversations}?include_transcript=true`, key),
      call(base, '/v1/dev/user/memories', key),
      call(base, '/v1/folders', user.token),
    ]);
  const before = await everything(first.base);
  await first.stop();

  const restored = await startService(t, settings, async (dataDir) => {
    // `-a` also copies owners and modes, as the operations page requires. The service logs to the test's own file.
    await run('cp', ['-a', `${first.dataDir}/.`, dataDir]);
    await run('rm', ['-f', join(dataDir, 'service.log')]);
  });
  t.same(await everything(restored.base), before, 'conversations, memories and folders, by key and by token');
});
