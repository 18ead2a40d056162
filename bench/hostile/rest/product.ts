import { loadSettings } from '../../../src/config/load-settings.js';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { developerScopes } from '../../../src/identity/scopes.js';
import { issueIdToken } from '../../../src/identity/token-issuer.js';
import { createUser } from '../../../src/identity/users.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { familyOf } from '../../fleet/process-usage.js';
import type { Target } from '../../fleet/target.js';
import { startEngine } from '../../fleet/targets/engine-target.js';
import { withoutTriggers } from '../../rest/without-triggers.js';
import { startProductData } from '../../suites/database.js';
import { seedUser, transcriptOf } from '../../suites/rest/requests-material.js';
import type { RestKindTraits } from './kinds.js';
import type { Account } from './neighbour-program.js';
import { startModel, startTranscription } from './services.js';

/** A product started for one kind of attack: front, engine, sidecar and its own database. */
export interface Product {
  readonly url: string;
  readonly port: number;
  readonly sql: Sql;
  readonly enginePid: number;
  readonly sidecarPid: number;
  readonly databasePid: number;
  readonly versions: Readonly<Record<string, string>>;
  /** Creates an account without records. */
  account(uid: string): Promise<Account>;
  /**
   * Creates an account with conversations.
   * @param segments number of segments in each conversation.
   * @returns the account and the ids of its conversations, newest first.
   */
  accountWith(
    uid: string,
    conversations: number,
    segments: number,
  ): Promise<{ readonly account: Account; readonly conversations: readonly string[] }>;
  /**
   * Replaces every transcript of a user with a long one.
   * @param characters length of each transcript.
   */
  lengthen(uid: string, characters: number): Promise<void>;
  stop(): Promise<void>;
}

/** Number of segments in a lengthened transcript. */
const longSegments = 200;
/**
 * Ms after which a question to the model times out. The value is shorter than the default, so that a phase contains
 * several timeouts. The circuit breaker of the model counts them.
 */
const modelTimeout = 1500;

/**
 * Returns the settings. The hourly request limits are raised, because the honest user sends more requests than their
 * defaults permit. All other limits have their defaults.
 */
const settingsFor = async (
  { model }: RestKindTraits,
  closing: (() => unknown)[],
): Promise<Record<string, string>> => {
  const transcription = await startTranscription();
  closing.unshift(() => transcription.close());
  const settings = {
    // Every account uses a different client address. The product trusts the header with this address only if
    // `AUTH_MODE` checks credentials.
    AUTH_MODE: 'token',
    COCHLEA_STT: 'provider',
    STT_SERVICE_MODELS: 'provider_b',
    MODULATE_API_KEY: 'bench',
    MODULATE_BATCH_URL: `${transcription.url}/api/velma-2-stt-batch`,
    RATE_LIMIT_BOOST: '10000',
    SENTENCE_MODEL: 'none',
  };
  if (!model) return settings;
  const service = await startModel();
  closing.unshift(() => service.close());
  return {
    ...settings,
    LLM_BASE_URL: `${service.url}/v1`,
    LLM_MODEL: 'bench',
    LLM_TIMEOUT: String(modelTimeout),
  };
};

const sidecarOf = (target: Target): number => {
  const sidecar = familyOf(target.familyPid!).find(({ command }) => / sidecar\s*$/.test(command));
  if (!sidecar) throw new Error('the sidecar was not found');
  return sidecar.pid;
};

const lengthen = async (sql: Sql, uid: string, characters: number): Promise<void> => {
  const text = transcriptOf(50)
    .map((segment) => segment.text)
    .join(' ');
  const repeated = text.repeat(Math.ceil(characters / longSegments / text.length));
  const long = repeated.slice(0, Math.floor(characters / longSegments));
  await sql`delete from segments where conversation_id in (select id from conversations where uid = ${uid})`;
  // The search triggers are disabled for these transcripts. Indexing them would take longer than the complete
  // measurement.
  await withoutTriggers(
    sql,
    ['segments'],
    () => sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
        end_seconds, stt_provider)
      select number::text, c.id, number, 1, ${long}, 'SPEAKER_00', 0, true, number * 4, number * 4 + 4, 'local'
      from conversations c, generate_series(0, ${longSegments - 1}) as number
      where c.uid = ${uid}`,
  );
};

/** Starts a product with its own database. */
export const startProduct = async (traits: RestKindTraits): Promise<Product> => {
  const closing: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0)) await close();
  };
  try {
    const { database, env: data } = await startProductData(closing);
    const settings = await settingsFor(traits, closing);
    const env = { ...settings, ...data };
    const target = await startEngine({ env });
    closing.unshift(() => target.stop());
    const sql = connectDatabase(database.url, { max: 4, name: 'bench' });
    closing.unshift(() => sql.end({ timeout: 1 }));
    const { values } = loadSettings({ ...process.env, ...env });
    let addresses = 0;
    const nextAddress = (): string => `198.51.100.${(addresses++ % 250) + 1}`;
    const scopes = [...developerScopes];
    return {
      url: target.url.replace(/^ws/, 'http'),
      port: Number(new URL(target.url).port),
      sql,
      enginePid: target.pid!,
      sidecarPid: sidecarOf(target),
      databasePid: database.pid,
      versions: target.versions,
      account: async (uid) => {
        await createUser(sql, { uid });
        const { key } = await createApiKey(sql, values, { uid, name: 'bench', family: 'dev', scopes });
        return { uid, key, token: await issueIdToken(sql, values, uid), address: nextAddress() };
      },
      accountWith: async (uid, count, segments) => {
        const { key, conversations } = await seedUser(sql, uid, count, segments);
        const token = await issueIdToken(sql, values, uid);
        return { account: { uid, key, token, address: nextAddress() }, conversations };
      },
      lengthen: (uid, characters) => lengthen(sql, uid, characters),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
