import t from 'tap';
import { signInLimits } from '../../src/config/limits/sign-in-limits.js';
import { canonicalEmail, mailboxOf } from '../../src/issuer/email-address.js';
import { knownBrowser, knownBrowserCookie, rememberedBrowser } from '../../src/issuer/known-browsers.js';
import { hashPassword, isPassword } from '../../src/issuer/passwords.js';

t.test('a bounded number of passwords waits', async (t) => {
  const most = signInLimits.passwordsWaiting.value;
  const results = await Promise.allSettled(
    Array.from({ length: most + 10 }, () => hashPassword('correct horse')),
  );
  const refused = results.filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 8, 'two are under way');
  for (const one of refused) t.match(one, { reason: { code: 'sign_in_busy' } });
  const { value: stored } = results[0] as PromiseFulfilledResult<string>;
  t.same([await isPassword('correct horse', stored), await isPassword('x', stored)], [true, false]);
  t.equal(await isPassword('the password of no account', null), false);
});

t.test('one mailbox has one address', async (t) => {
  for (const [given, kept] of [
    [' Ann@Example.ORG ', 'ann@example.org'],
    ['ann@example\u3002org', 'ann@example.org'],
    ['ann@example\uff0eorg', 'ann@example.org'],
    ['ann@\uff25xample.org', 'ann@example.org'],
    ['\u212aim@example.org', 'kim@example.org'],
    ['ann@ex\u0061\u0308mple.org', 'ann@ex\u00e4mple.org'],
    ['ann@localhost', 'ann@localhost'],
    ['ann', null],
    ['ann@', null],
    ['@example.org', null],
    ['ann@example.org.', null],
    ['ann@example..org', null],
    ['ann@127.0.0.1', null],
    ['ann@2130706433', null],
    ['ann@[127.0.0.1]', null],
    ['ann@example.org/x', null],
    ['ann@%65xample.org', null],
    ['ann@evil.example@example.org', null],
    ['ann@example.org,eve@example.org', null],
    ['ann\r\nbcc: eve@example.org', null],
    ['ann\u200b@example.org', null],
    [`${'a'.repeat(65)}@example.org`, null],
    [`ann@${'a'.repeat(260)}`, null],
  ] as const) {
    t.equal(canonicalEmail(given), kept, JSON.stringify(given));
  }
  t.same(['ann+a+b@example.org', 'ann@example.org', '+a@example.org'].map(mailboxOf), [
    'ann@example.org',
    'ann@example.org',
    '+a@example.org',
  ]);
});

t.test('what a browser is known by', async (t) => {
  const key = Buffer.alloc(32, 1);
  const now = 1_800_000_000;
  const cookie = rememberedBrowser(key, undefined, 'ann@example.org', now);
  const id = knownBrowser(key, cookie, 'ann@example.org', now);
  t.match(id, /^[\w-]{22}$/);
  t.equal(knownBrowser(key, cookie, 'ben@example.org', now), null, 'another account');
  t.equal(knownBrowser(Buffer.alloc(32, 2), cookie, 'ann@example.org', now), null, 'another secret');
  t.equal(knownBrowser(key, cookie, 'ann@example.org', now + knownBrowserCookie.lifetime), null, 'it ends');
  t.equal(knownBrowser(key, cookie.replace(/^../, 'zz'), 'ann@example.org', now), null, 'a later date');
  let many = cookie;
  for (const name of ['ann', 'ben', 'cy', 'dee', 'eve']) {
    many = rememberedBrowser(key, many, `${name}@example.org`, now);
  }
  t.ok(knownBrowser(key, many, 'ann@example.org', now));
  t.not(knownBrowser(key, many, 'ann@example.org', now), id, 'each sign-in has an id of its own');
  many = rememberedBrowser(key, many, 'flo@example.org', now);
  t.equal(knownBrowser(key, many, 'ann@example.org', now), null, 'the oldest of five is forgotten');
  t.ok(knownBrowser(key, many, 'ben@example.org', now));
  t.equal(knownBrowser(key, `${'~'.repeat(5000)}${cookie}`, 'ann@example.org', now), null);
});
