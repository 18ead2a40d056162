/** Shows and changes the settings of a signed-in user with the user client. */
import { join } from 'node:path';
import t from 'tap';
import { startApi } from '../sidecar/support.js';
import { command, folder, Names, signedIn, transcript } from './support.js';

t.test('cochlea-user settings', async (t) => {
  const api = await startApi(t);
  const ann = await api.person(undefined, 'Ann');
  const config = join(await folder(t), 'config.toml');
  await signedIn(config, api.base, ann);
  const env = { COCHLEA_CONFIG: config, NO_COLOR: '1' };
  await transcript(t, 'settings.txt', new Names({ BASE: api.base }), { env });
  const { code, err } = await command(['settings', 'show'], {
    env: { COCHLEA_CONFIG: '/nowhere/config.toml', COCHLEA_API_BASE: api.base, COCHLEA_API_KEY: ann.key },
  });
  t.equal(code, 2, 'a developer key does not suffice');
  t.match(err, /needs a sign-in in a browser/);
});
