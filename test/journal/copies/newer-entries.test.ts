/**
 * Tests a program that is too old to read an entry of a spill. It leaves the spill on the disk, and serves streams
 * nevertheless.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import t from 'tap';
import { SpillFolders } from '../../../src/journal/spill-folders.js';
import { encodeSpillEntry } from '../../../src/wire/spill/spill.js';
import { keepingLogger } from '../../stt/service/line.js';
import { testDatabase } from '../../support/database/database.js';
import { change, opening, startOfTime, stored, storedTexts, testJournal } from '../support.js';
import { spilledConversation } from './support.js';

const begun = spilledConversation();

const words = (id: string, position: number): Buffer =>
  Buffer.from(
    encodeSpillEntry({
      kind: 'commit',
      changes: [
        {
          conversation: begun,
          epoch: 1,
          startedAt: startOfTime,
          lastSpeechAt: startOfTime,
          speechProbability: null,
          spoken: null,
          rows: [{ id, ...stored(id, id, position) }],
        },
      ],
    }),
  );

t.test('an entry for a newer program stays, with those after it', async (t) => {
  const { url, sql } = await testDatabase(t);
  const spillDir = t.testdir({});
  // The spill of an earlier run whose process has ended.
  const path = join(spillDir, 'old~0~4194305.1.beef~left~000000000000001-00000000');
  const database = open<Buffer, number>({
    path,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'uint32',
    compression: false,
  });
  database.putSync(1, words('before', 0));
  database.putSync(2, Buffer.concat([words('newer', 1), Buffer.of(15 << 3, 99)]));
  database.putSync(3, words('behind', 2));
  await database.close();

  const logged: unknown[] = [];
  const { journal, metrics } = await testJournal(url, spillDir, {
    engineId: 'old',
    databaseTimeout: 10_000,
    log: keepingLogger(logged),
  });
  t.teardown(() => journal.close(0));
  t.same(await storedTexts(sql, begun.id), ['before']);
  t.equal(metrics.get('journal_newer_total'), 1);
  t.equal(metrics.get('journal_rejected_total'), 0);
  const [folder, ...more] = readdirSync(spillDir);
  t.match(folder, /~held~/, 'the files stay for the next process');
  t.same(more, []);
  t.equal(logged.filter((line) => /newer program/.test(JSON.stringify(line))).length, 1);

  const { lease, resumed } = await journal.open(opening({ uid: 'ada' }));
  t.equal(resumed, true, 'streams continue their conversations');
  t.equal((await journal.commit([change(lease, [stored('own', 'own', 3)])])).get(begun.id), 'database');

  const later = new SpillFolders(spillDir, 'old', 0);
  t.equal(await later.leftoversRemain(), false);
  t.ok(folder);
});
