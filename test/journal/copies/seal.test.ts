/** Sealed copies can only be opened with the key, and only as copies of their journal. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { createOpener, createSealer } from '../../../src/journal/copies/seal.js';
import { encodeSpillEntry, isNewerEntry, readSpillEntry } from '../../../src/wire/spill/spill.js';

const secret = 's'.repeat(32);
const journal = 'engine.0.00000000-0000-4000-8000-000000000000';
const entry = encodeSpillEntry({ kind: 'release', id: 'known words', epoch: 7 });
/** The field that every entry for a newer program has. */
const newer = Buffer.concat([entry, Buffer.of(15 << 3, 2)]);

t.test('a copy is opened with the key of its journal only', async (t) => {
  const sealer = createSealer(secret, journal);
  const open = createOpener(secret, journal);
  const copy = sealer.entry(entry);
  t.same(open(copy), { kind: 'entry', bytes: entry });
  t.same(open(sealer.marker(2 ** 52)), { kind: 'marker', covers: 2 ** 52 });
  t.notOk(Buffer.from(copy).includes('known words'), 'the words cannot be read');
  t.notSame(sealer.entry(entry), copy, 'two copies differ');
  t.same(createOpener('t'.repeat(32), journal)(copy), { kind: 'unopened' });
  t.same(createOpener(secret, journal.replace('.0.', '.1.'))(copy), { kind: 'unopened' });
});

t.test('a changed copy is never opened', async (t) => {
  const open = createOpener(secret, journal);
  const copy = createSealer(secret, journal).entry(entry);
  fc.assert(
    fc.property(fc.nat(copy.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const changed = Uint8Array.from(copy);
      changed[place] = changed[place]! ^ change;
      return open(changed).kind === 'unopened';
    }),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => open(bytes).kind === 'unopened'));
  t.same(open(copy.subarray(0, -1)), { kind: 'unopened' });
  for (let version = 0; version < 256; version++)
    t.equal(
      open(Uint8Array.from([version, ...copy.subarray(1)])).kind,
      version === 1 ? 'entry' : 'unopened',
      'nobody can make a copy look newer, so that those after it wait',
    );
});

t.test('the version of a copy is authenticated', async (t) => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `cochlea spill: ${journal}`, 32));
  const sealed = (authenticated: Uint8Array) => {
    const nonce = randomBytes(12);
    const sealing = createCipheriv('aes-256-gcm', key, nonce);
    sealing.setAAD(authenticated);
    const text = Buffer.concat([sealing.update(Buffer.of(1)), sealing.update(entry), sealing.final()]);
    return Buffer.concat([Buffer.of(1), nonce, sealing.getAuthTag(), text]);
  };
  const open = createOpener(secret, journal);
  t.equal(open(sealed(Buffer.concat([Buffer.of(1), Buffer.from(journal)]))).kind, 'entry');
  t.equal(open(sealed(Buffer.from(journal))).kind, 'unopened', 'sealed without its version');
  t.equal(open(sealed(Buffer.concat([Buffer.of(2), Buffer.from(journal)]))).kind, 'unopened');
});

t.test('an entry for a newer program is recognised', async (t) => {
  const open = createOpener(secret, journal);
  t.same(open(createSealer(secret, journal).entry(newer)), { kind: 'newer' });
  t.equal(isNewerEntry(newer), true);
  t.equal(isNewerEntry(entry), false);
  t.equal(isNewerEntry(Buffer.concat([entry, Buffer.of(15 << 3, 1)])), false, 'this format');
  t.equal(isNewerEntry(Buffer.of(0xff)), false, 'damaged bytes');
  t.match(readSpillEntry(entry), { kind: 'release', epoch: 7 });
});
