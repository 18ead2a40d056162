/** A model describes images. Its answers are good, wrong, slow or missing. Without a model, images are skipped. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { createLanguageModel } from '../../src/llm/language-model.js';
import { modelOptions } from '../../src/llm/model-options.js';
import { createLogger } from '../../src/log/logger.js';
import { openPhotoFiles } from '../../src/photos/photo-files.js';
import { describeNextPhoto } from '../../src/pipeline/photos/describe-photos.js';
import { tokenBudget } from '../../src/service/rules/token-budget.js';
import { photosOf, storePhoto } from '../../src/store/conversations/photos.js';
import { beginConversation } from '../../src/store/live/leases.js';
import { testDatabase } from '../support/database/database.js';
import { modelFaults, startModelServer } from '../support/servers/model-server.js';

const gif = Buffer.from('GIF89a\x01\0\x01\0', 'latin1');
const bounds = { conversation: 100, user: 1e6, total: 1e9 };

t.test('descriptions of images', { timeout: 120_000 }, async (t) => {
  const { sql } = await testDatabase(t);
  const server = await startModelServer(t);
  const settings = {
    ...loadSettings({
      LLM_BASE_URL: server.url,
      LLM_MODEL: 'tiny',
      LLM_STEP_MODELS: 'photo=seeing',
      LLM_RETRIES: '0',
      LLM_TIMEOUT: '1000',
    }).values,
    dataDir: t.testdir(),
  };
  const files = await openPhotoFiles(settings);
  const log = createLogger('test', 'silent');
  const modelOf = () =>
    createLanguageModel(modelOptions(settings)!, { budget: tokenBudget(sql, settings.llmDailyTokens) });
  const context = (model: ReturnType<typeof modelOf> | null) => ({
    ...{ sql, log, files, model, expiry: 60 },
    signal: new AbortController().signal,
  });

  /**
   * Makes a photo due now. The time is in the past, because stored times are rounded to the millisecond and could
   * otherwise be in the future.
   */
  const becomeDue = (id: string) =>
    sql`update photos set due_at = now() - interval '1 second' where id = ${id}`;

  /** Stores a photo of a new conversation. @returns a function that reads the photo. */
  const seen = async (uid: string) => {
    const conversation = randomUUID();
    const nothing = { deviceId: null, clientPlatform: null, usesCustomStt: false };
    await createUser(sql, { uid });
    const begun = { ...nothing, id: conversation, uid, source: 'phone', language: 'en', timeout: 120 };
    await beginConversation(sql, { ...begun, createdAt: Date.now() }, 'e/0');
    const id = randomUUID();
    const file = await files.write({ id, uid, at: Date.now() }, gif);
    const photo = { id, place: files.place, file, contentType: 'image/gif', bytes: gif.length };
    await storePhoto(sql, { id: conversation, epoch: 1 }, photo, bounds, Date.now());
    await becomeDue(id);
    return { id, file, conversation, read: async () => (await photosOf(sql, uid, conversation))?.[0] };
  };

  t.test("are written by the step's model, which receives the image", async (t) => {
    const photo = await seen('ann');
    server.answer = () => ({ description: ' A garden.\u0000 ' });
    t.equal(await describeNextPhoto(context(modelOf())), true);
    t.match(await photo.read(), { description: /^A garden\./, discarded: false });
    t.notMatch((await photo.read())?.description, /\0/);
    const { body, model, step } = server.requests.at(-1)!;
    t.match({ model, step }, { model: 'seeing', step: 'photo' });
    const [, { content }] = body.messages;
    t.equal(content[1].image_url.url, `data:image/gif;base64,${gif.toString('base64')}`);
    t.equal(await describeNextPhoto(context(modelOf())), false, 'once');
  });

  t.test('may be empty', async (t) => {
    const photo = await seen('bob');
    server.answer = () => ({ description: '' });
    await describeNextPhoto(context(modelOf()));
    t.match(await photo.read(), { description: '', discarded: true });
  });

  t.test('are empty after the last failed attempt, for any fault', async (t) => {
    server.answer = () => ({ description: 'Never.' });
    for (const fault of modelFaults) {
      const photo = await seen(`user of ${fault}`);
      server.fault = () => fault;
      server.retryAfter = '60';
      await sql`update photos set attempts = 3 where id = ${photo.id}`;
      t.equal(await describeNextPhoto(context(modelOf())), true, fault);
      const [row] = await sql<{ description: string | null; attempts: number }[]>`
        select description, attempts from photos where id = ${photo.id}`;
      const isFinal = ['wrong key', 'refusal', 'content filter'].includes(fault);
      t.equal(row!.description, isFinal ? 'Could not generate description.' : null, `${fault}: repeated`);
      t.equal(row!.attempts, 4);
      t.equal(await describeNextPhoto(context(modelOf())), false, 'but not at once');
      await becomeDue(photo.id);
      await describeNextPhoto(context(modelOf()));
      t.match(await photo.read(), { description: 'Could not generate description.', discarded: true }, fault);
    }
    server.fault = () => undefined;
  });

  t.test('are requested for users in turn', async (t) => {
    server.answer = () => ({ description: 'Seen.' });
    await seen('cleo');
    await sql`insert into photos (id, conversation_id, uid, place, file, content_type, bytes)
      select gen_random_uuid(), conversation_id, uid, place, 'missing ' || n, content_type, bytes
      from photos, generate_series(1, 5) n where uid = 'cleo'`;
    const other = await seen('dan');
    await describeNextPhoto(context(modelOf()));
    await describeNextPhoto(context(modelOf()));
    t.match(await other.read(), { description: 'Seen.' }, 'not behind all images of another');
    while (await describeNextPhoto(context(modelOf())));
    const [rest] = await sql<
      { waiting: number }[]
    >`select count(*)::integer as waiting from photos where described_at is null`;
    t.equal(rest!.waiting, 0, 'files that are missing hold up nothing');
  });

  t.test('come later for a user whose images delay the model', async (t) => {
    const [first, second] = [await seen('hal'), await seen('hal')];
    server.fault = () => 'server error';
    await describeNextPhoto(context(modelOf()));
    server.fault = () => undefined;
    const other = await seen('ida');
    await describeNextPhoto(context(modelOf()));
    t.match(await other.read(), { description: 'Seen.' });
    t.match(await first.read(), { description: null });
    t.match(await second.read(), { description: null });
    await describeNextPhoto(context(modelOf()));
    t.match(await second.read(), { description: 'Seen.' });
    await sql`delete from photos where id = ${first.id}`;
  });

  t.test('are shortened and contain no control characters', async (t) => {
    const photo = await seen('jon');
    server.answer = () => ({
      description: `<b>\u202etxt\u202c\u001b[2J\u0007\u200b \ud83d\n${'very '.repeat(1000)}long`,
    });
    await describeNextPhoto(context(modelOf()));
    const { description } = (await photo.read())!;
    t.equal(description?.length, 2000);
    t.ok(description?.startsWith('txt  [2J   \ufffd\nvery very '), JSON.stringify(description?.slice(0, 40)));

    const other = await seen('jon');
    server.answer = () => ({ description: 'x'.repeat(200_000) });
    await describeNextPhoto(context(modelOf()));
    t.match(await other.read(), { description: null }, 'what does not end is no answer');
    await sql`delete from photos where id = ${other.id}`;
    server.answer = () => ({ description: 'Seen.' });
  });

  t.test('are written in the language of the user', async (t) => {
    await seen('kim');
    await sql`update users set language = 'de' where uid = 'kim'`;
    await describeNextPhoto(context(modelOf()));
    t.match(server.requests.at(-1)!.messages[0]!.content, /Write in German/);
  });

  t.test('are not requested while their account is being deleted', async (t) => {
    const photo = await seen('lea');
    await sql`update users set deleting_at = now() where uid = 'lea'`;
    t.equal(await describeNextPhoto(context(modelOf())), false);
    await sql`delete from photos where id = ${photo.id}`;
  });

  t.test('are skipped without a model', async (t) => {
    const photo = await seen('eve');
    t.equal(await describeNextPhoto(context(null)), true);
    t.equal(await describeNextPhoto(context(null)), false);
    t.match(await photo.read(), { description: null, discarded: false });
  });

  t.test('request a new summary only for conversations of images', async (t) => {
    const photo = await seen('fay');
    await sql`update conversations set status = 'completed', structured = '{}' where id = ${photo.conversation}`;
    await describeNextPhoto(context(modelOf()));
    const [step] =
      await sql`select state from steps where step = 'structure' and key = ${photo.conversation}`;
    t.match(step, { state: 'waiting' });
  });
});
