import { randomUUID } from 'node:crypto';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { processConversation } from '../../src/pipeline/summary/process.js';
import { createFromSegments } from '../../src/service/conversations/supplied-conversations.js';
import { createFromText } from '../../src/service/conversations/text-conversations.js';
import {
  createFolder,
  deleteFolder,
  getFolder,
  listFolders,
  openFolders,
  reorderFolders,
  updateFolder,
} from '../../src/service/records/folders.js';
import { rulesHere } from '../../src/service/text/text-rules.js';
import { testDatabase } from '../support/database/database.js';
import { getConversation, listConversations, updateConversation } from '../support/texts/conversations.js';

t.test('folders', async (t) => {
  const { sql } = await testDatabase(t);
  let users = 0;
  const user = async (): Promise<string> => (await createUser(sql, { uid: `user-${++users}` })).uid;
  const doctor = 'The doctor gave me a prescription at the hospital for the therapy.';
  const names = async (uid: string): Promise<string[]> =>
    (await listFolders(sql, uid)).map(({ name }) => name);
  const text = (uid: string, what = doctor): Promise<string> =>
    createFromText(sql, rulesHere, uid, { text: what }).then(({ id }) => id);

  await t.test('openFolders creates the system folders, and listFolders does not', async (t) => {
    const uid = await user();
    t.same(await listFolders(sql, uid), []);
    const folders = await openFolders(sql, uid);
    t.match(folders, [
      { name: 'Work', order: 0, category_mapping: 'work' },
      { name: 'Personal', order: 1, category_mapping: 'personal' },
      { name: 'Social', order: 2, category_mapping: 'social' },
    ]);
    t.same(Object.keys(folders[0]!).length, 12);
    for (const folder of folders) {
      t.match(folder, { is_system: true, is_default: false, conversation_count: 0, color: /^#[0-9A-F]{6}$/ });
    }
    t.same(await openFolders(sql, uid), folders);
    t.same(await openFolders(sql, 'no such user'), []);
  });

  await t.test('simultaneous calls create the system folders once', async (t) => {
    const uid = await user();
    const segments = [{ text: doctor, start: 0, end: 4, is_user: true }];
    const streamed = Array.from({ length: 4 }, () => randomUUID());
    for (const id of streamed) {
      await sql`
        insert into conversations (id, uid, status, source, created_at, last_speech_at)
        values (${id}, ${uid}, 'processing', 'phone', now(), now())`;
      await sql`
        insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
        values (${id}, ${id}, 0, 1, ${doctor}, 'SPEAKER_00', 0, true, 0, 4)`;
    }
    const context = {
      sql,
      settings: loadSettings({}).values,
      log: createLogger('test', 'silent'),
      extractor: rulesHere,
      rules: rulesHere,
      model: null,
      search: null,
      signal: new AbortController().signal,
    };
    await Promise.all([
      ...streamed.map((id) => processConversation(context, id)),
      ...Array.from({ length: 4 }, () => text(uid)),
      ...Array.from({ length: 4 }, () =>
        createFromSegments(sql, rulesHere, uid, { transcript_segments: segments }),
      ),
      openFolders(sql, uid),
      createFolder(sql, uid, { name: 'Own' }),
    ]);
    t.same((await names(uid)).toSorted(), ['Own', 'Personal', 'Social', 'Work']);
    const personal = (await listFolders(sql, uid)).find(({ name }) => name === 'Personal')!;
    t.equal(personal.conversation_count, 12, 'conversations are in the folder of their category');
    const [listed] = (await listConversations(sql, uid, { limit: 1, transcript: false })).items;
    t.match(listed, { folder_id: personal.id, folder_name: 'Personal' });
  });

  await t.test('conversations without a category and discarded conversations are in no folder', async (t) => {
    const uid = await user();
    const plain = await text(uid, 'Zxq vbn.');
    const segments = [{ text: 'Uh, yeah.', start: 0, end: 1, is_user: true }];
    const { id, discarded } = await createFromSegments(sql, rulesHere, uid, {
      transcript_segments: segments,
    });
    t.equal(discarded, true);
    for (const one of [plain, id]) {
      t.match(await getConversation(sql, uid, one, false), { folder_id: null, folder_name: null });
    }
  });

  await t.test('counts follow discarded and moved conversations', async (t) => {
    const uid = await user();
    const id = await text(uid);
    await text(uid);
    const own = await createFolder(sql, uid, {
      name: 'Own',
      icon: '🌱',
      color: '#aabbcc',
      description: ' d ',
    });
    t.match(own, { name: 'Own', icon: '🌱', color: '#AABBCC', description: 'd', order: 3, is_system: false });
    const counts = async (): Promise<number[]> =>
      (await listFolders(sql, uid)).map(({ conversation_count }) => conversation_count);
    t.same(await counts(), [0, 2, 0, 0]);
    t.match(await updateConversation(sql, uid, id, { folder_id: own.id }), { folder_name: 'Own' });
    t.same(await counts(), [0, 1, 0, 1]);
    await updateConversation(sql, uid, id, { discarded: true });
    t.same(await counts(), [0, 1, 0, 0]);
    await updateConversation(sql, uid, id, { discarded: false, folder_id: null });
    t.same(await counts(), [0, 1, 0, 0]);
  });

  await t.test('a folder is changed, ordered and deleted', async (t) => {
    const uid = await user();
    const made = await createFolder(sql, uid, { name: 'Trips' }, 'key');
    t.same(
      await createFolder(sql, uid, { name: 'Trips' }, 'key'),
      made,
      'a repeated key creates no second folder',
    );
    t.match(made, { color: '#6B7280', icon: '📁', description: null });
    const changed = await updateFolder(sql, uid, made.id, {
      name: 'Journeys',
      description: 'far',
      color: '#000000',
    });
    t.match(changed, { name: 'Journeys', description: 'far', color: '#000000', icon: '📁', order: 3 });
    t.match(await updateFolder(sql, uid, made.id, { description: null, color: null }), {
      description: null,
      color: '#6B7280',
    });
    const [work, personal, social] = await listFolders(sql, uid);
    const order = [made.id, social!.id, work!.id, personal!.id];
    t.same(
      (await reorderFolders(sql, uid, order)).map(({ id }) => id),
      order,
    );
    t.same(
      (await reorderFolders(sql, uid, [personal!.id])).map(({ id, order }) => [id, order]),
      [personal!.id, made.id, social!.id, work!.id].map((id, place) => [id, place]),
      'unnamed folders follow',
    );
    const id = await text(uid);
    await updateConversation(sql, uid, id, { folder_id: made.id });
    await deleteFolder(sql, uid, made.id, work!.id);
    t.match(await getConversation(sql, uid, id, false), { folder_id: work!.id });
    const other = await createFolder(sql, uid, { name: 'Gone' });
    await updateConversation(sql, uid, id, { folder_id: other.id });
    await deleteFolder(sql, uid, other.id);
    t.match(await getConversation(sql, uid, id, false), { folder_id: null });
    await t.rejects(deleteFolder(sql, uid, work!.id), { code: 'bad_request' });
    await t.rejects(reorderFolders(sql, uid, [work!.id, work!.id]), { code: 'validation_failed' });
    await t.rejects(updateFolder(sql, uid, work!.id, {}), { code: 'validation_failed' });
    await t.rejects(updateFolder(sql, uid, work!.id, { color: 'red' }), { code: 'validation_failed' });
  });

  await t.test('unknown folders and folders of others are not found', async (t) => {
    const uid = await user();
    const foreign = await createFolder(sql, await user(), { name: 'foreign' });
    const own = await createFolder(sql, uid, { name: 'own' });
    const id = await text(uid);
    const absent = { code: 'record_not_found', message: 'Folder not found' };
    for (const unknown of [foreign.id, 'nonsense', '00000000-0000-4000-8000-000000000000']) {
      await t.rejects(getFolder(sql, uid, unknown), absent);
      await t.rejects(updateFolder(sql, uid, unknown, { name: 'mine' }), absent);
      await t.rejects(deleteFolder(sql, uid, unknown), absent);
      await t.rejects(deleteFolder(sql, uid, own.id, unknown), absent);
      await t.rejects(reorderFolders(sql, uid, [own.id, unknown]), absent);
      await t.rejects(updateConversation(sql, uid, id, { folder_id: unknown }), absent);
    }
    t.same(await names(uid), ['Work', 'Personal', 'Social', 'own']);
  });

  await t.test('a user may have 100 folders', async (t) => {
    const uid = await user();
    await openFolders(sql, uid);
    await sql`
      insert into folders (id, uid, name, color, icon, position, is_system, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'f', '#000000', 'f', n, false, now(), now() from generate_series(3, 98) n`;
    await createFolder(sql, uid, { name: 'the last' });
    await t.rejects(createFolder(sql, uid, { name: 'too many' }), { code: 'records_full' });
    t.equal((await listFolders(sql, uid)).length, 100);
  });
});
