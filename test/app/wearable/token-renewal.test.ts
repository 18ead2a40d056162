import { SignJWT } from 'jose';
import t from 'tap';
import { TokenRenewer } from '../../../src/app/wearable/token-renewal.js';
import { until } from '../../support/until.js';

const key = new TextEncoder().encode('a key of this test and of no other');
const lifetime = 3600;
let made = 0;

/** Returns a new token that lasts one hour. */
const token = (): Promise<string> =>
  new SignJWT({ number: ++made })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime)
    .sign(key);
/**
 * Ms before a token's expiry at which it is renewed. This equals the lifetime of the tokens, so each is renewed at
 * once.
 */
const before = lifetime * 1000;

t.test('requests the next token once the engine has accepted the last one', async (t) => {
  const sent: string[] = [];
  const renewer = new TokenRenewer(await token(), { renew: token, before }, (text) => {
    sent.push((JSON.parse(text) as { token: string }).token);
    renewer.answered(true);
  });
  t.teardown(() => renewer.stop());
  await until(() => renewer.renewed >= 50, 'fifty renewals');
  t.equal(new Set(sent).size, sent.length, 'a new token each time');
  renewer.stop();
  const { length } = sent;
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(sent.length, length, 'none after the end');
});

t.test('sends nothing too early, or for a token without an expiry', async (t) => {
  const sent: string[] = [];
  let asked = 0;
  const renew = () => {
    asked++;
    return token();
  };
  const early = new TokenRenewer(await token(), { renew }, (text) => sent.push(text));
  const endless = new TokenRenewer('not a token', { renew }, (text) => sent.push(text));
  const due = new TokenRenewer(await token(), { renew: token, before }, () => due.stop());
  await until(() => made >= 3, 'the one that is due is renewed');
  t.same([asked, sent], [0, []]);
  early.stop();
  endless.stop();
  due.stop();
});
