/** Tests the way from a sign-in in a browser to a stream, through the listener of `cochlea up`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as client from 'openid-client';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { Browser, signUp } from '../../sidecar/issuer/sign-in-support.js';
import { startService } from '../../support/service.js';
import { fixtureUtterances } from '../../support/texts/speech.js';

const speech = join(packageDirectory(), 'fixtures', 'speech', fixtureUtterances[0]!.file);

t.test('a person signs in and streams', async (t) => {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const service = await startService(t, { PORT: port, PUBLIC_URL: base, COCHLEA_STT: 'discard' });
  await signUp(base, service.dataDir, 'ann@example.org');
  const browser = new Browser(base);

  const server = await client.discovery(new URL(base), 'cochlea', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const address = client.buildAuthorizationUrl(server, {
    redirect_uri: 'http://127.0.0.1:45678/callback',
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const consent = await browser.signIn(await browser.get(address.href), 'ann@example.org');
  const code = await browser.post(`${new URL(consent.url).pathname}/consent`, {});
  const tokens = await client.authorizationCodeGrant(server, new URL(code.url), { pkceCodeVerifier });

  const uid = tokens.claims()!.sub;
  const wearable = await service.wearable({ uid, token: tokens.id_token! });
  t.ok(await wearable.waitFor((event) => event.status === 'ready', 60_000), 'the engine takes its ID token');
  await wearable.close();

  // The command stores the sign-in in this file. Each refresh token in the file works once.
  const file = join(service.dataDir, 'signed-in.json');
  await writeFile(file, JSON.stringify({ refresh_token: tokens.refresh_token }));
  for (const turn of ['first', 'second']) {
    const before = await readFile(file, 'utf8');
    const printed = await service.cochlea(
      'listen',
      speech,
      '--url',
      base,
      '--credentials',
      file,
      '--pace',
      'max',
      '--json',
    );
    t.match(printed, /"type":"service_status"/, turn);
    if (turn === 'first') t.not(await readFile(file, 'utf8'), before);
    t.match(JSON.parse(await readFile(file, 'utf8')), { id_token: String, refresh_token: /^svc_ort_/ });
  }
  await writeFile(file, JSON.stringify({ refresh_token: tokens.refresh_token }));
  await t.rejects(
    service.cochlea('listen', speech, '--url', base, '--credentials', file),
    /cannot be renewed/,
    'a refresh token that was used',
  );
});
