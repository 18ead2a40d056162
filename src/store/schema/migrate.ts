import { fileURLToPath } from 'node:url';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { databasePlace, onConnection } from '../client/index.js';
import { PrimaryHost } from '../hosts/index.js';
import {
  accountDeletionsSchema,
  accountsSchema,
  assistantsSchema,
  audioPositionsSchema,
  audioResumesSchema,
  audioTimesSchema,
  consoleSessionsSchema,
  continuedSegmentsSchema,
  conversationVoicesSchema,
  correctedSegmentsSchema,
  customWordsSchema,
  deletionPlacesSchema,
  engineLeasesSchema,
  foldersSchema,
  foundSchema,
  initialSchema,
  issuerSessionsSchema,
  memoriesSchema,
  mergedDevicesSchema,
  ownDataSchema,
  photosSchema,
  photoTurnsSchema,
  proposedConversationsSchema,
  rateWindowsSchema,
  recordingClocksSchema,
  recordingReasonsSchema,
  recordingsSchema,
  recordingsServedSchema,
  replayedSpillsSchema,
  retainedSchema,
  revokedKeysSchema,
  searchLateSchema,
  searchSchema,
  segmentModelsSchema,
  splitConversationsSchema,
  spokenLanguagesSchema,
  stepsSchema,
  suppliedSchema,
  tasksSchema,
  toolStreamsSchema,
  undoableChangesSchema,
  upstreamSchema,
  usageSchema,
  voiceProfilesSchema,
} from './migrations/index.js';

/** Migrations in order. The database stores their names; a released migration is never changed. */
const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001_initial', sql: initialSchema },
  { name: '0002_memories', sql: memoriesSchema },
  { name: '0003_tasks', sql: tasksSchema },
  { name: '0004_rate_windows', sql: rateWindowsSchema },
  { name: '0005_folders', sql: foldersSchema },
  { name: '0006_own_data', sql: ownDataSchema },
  { name: '0007_supplied', sql: suppliedSchema },
  { name: '0008_usage', sql: usageSchema },
  { name: '0009_accounts', sql: accountsSchema },
  { name: '0010_revoked_keys', sql: revokedKeysSchema },
  { name: '0011_upstream', sql: upstreamSchema },
  { name: '0012_steps', sql: stepsSchema },
  { name: '0013_search', sql: searchSchema },
  { name: '0014_account_deletions', sql: accountDeletionsSchema },
  { name: '0015_assistants', sql: assistantsSchema },
  { name: '0016_found', sql: foundSchema },
  { name: '0017_retained', sql: retainedSchema },
  { name: '0018_recordings', sql: recordingsSchema },
  { name: '0019_recordings_served', sql: recordingsServedSchema },
  { name: '0020_voice_profiles', sql: voiceProfilesSchema },
  { name: '0021_photos', sql: photosSchema },
  { name: '0022_photo_turns', sql: photoTurnsSchema },
  { name: '0023_search_late', sql: searchLateSchema },
  { name: '0024_tool_streams', sql: toolStreamsSchema },
  { name: '0025_recording_clocks', sql: recordingClocksSchema },
  { name: '0026_merged_devices', sql: mergedDevicesSchema },
  { name: '0027_proposed_conversations', sql: proposedConversationsSchema },
  { name: '0028_recording_reasons', sql: recordingReasonsSchema },
  { name: '0029_segment_models', sql: segmentModelsSchema },
  { name: '0030_spoken_languages', sql: spokenLanguagesSchema },
  { name: '0031_custom_words', sql: customWordsSchema },
  { name: '0032_engine_leases', sql: engineLeasesSchema },
  { name: '0033_deletion_places', sql: deletionPlacesSchema },
  { name: '0034_continued_segments', sql: continuedSegmentsSchema },
  { name: '0035_conversation_voices', sql: conversationVoicesSchema },
  { name: '0036_audio_positions', sql: audioPositionsSchema },
  { name: '0037_console_sessions', sql: consoleSessionsSchema },
  { name: '0038_corrected_segments', sql: correctedSegmentsSchema },
  { name: '0039_split_conversations', sql: splitConversationsSchema },
  { name: '0041_replayed_spills', sql: replayedSpillsSchema },
  { name: '0042_issuer_sessions', sql: issuerSessionsSchema },
  { name: '0043_undoable_changes', sql: undoableChangesSchema },
  { name: '0044_audio_resumes', sql: audioResumesSchema },
  { name: '0045_audio_times', sql: audioTimesSchema },
];

/** The methods of `pg` that this file uses. The package has no types of its own. */
interface MigrationClient {
  connect(): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
}
interface PostgresPackage {
  readonly default: {
    readonly Client: new (options: { readonly connectionString: string }) => MigrationClient;
  };
}

const table = 'schema_migrations';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Names of the migrations this program knows, oldest first. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);

/**
 * Applies missing migrations in one transaction. An advisory lock makes other programs wait while one migrates. Usually
 * the schema is current, and this function needs only one query.
 * @throws CochleaError `database_unreachable`, or `database_schema_newer` when the database has a migration that this
 *   program does not know. When this function throws, the schema is unchanged.
 */
export const migrate = async (url: string): Promise<void> => {
  if (await isCurrent(url)) return;
  // Imported only when needed, because these packages load more slowly than most others.
  const [{ runner }, { default: postgres }] = await Promise.all([
    import('node-pg-migrate'),
    import('pg' as string) as Promise<PostgresPackage>,
  ]);
  // This function uses its own client, because node-pg-migrate does not wait until its client has closed. If the
  // database server stopped at that moment, this process would end. The client accepts only addresses with a single
  // host.
  const client = new postgres.Client({ connectionString: (await PrimaryHost.of(url)?.url()) ?? url });
  // A lost connection fails the running statement, so this event needs no handling.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await runMigrations(runner, client);
  } finally {
    await client.end();
  }
};

const runMigrations = async (
  runner: typeof import('node-pg-migrate').runner,
  client: MigrationClient,
): Promise<void> => {
  await runner({
    dbClient: client,
    direction: 'up',
    migrationsTable: table,
    advisoryLockMode: 'wait',
    singleTransaction: true,
    logger: silent,
    // node-pg-migrate requires a folder, but migrations are part of the compiled output. node-pg-migrate gets this
    // folder, where the pattern matches only one file. The loader returns the table above instead of the file's
    // content.
    dir: fileURLToPath(new URL('.', import.meta.url)),
    ignorePattern: '(?!migrate\\.js$).*',
    migrationLoaderStrategies: [
      {
        extensions: ['.js'],
        loader: async () =>
          migrations.map(({ name, sql }) => ({
            id: `${name}.sql`,
            filePaths: [],
            actions: { up: (builder) => builder.sql(sql), down: false },
          })),
      },
    ],
  });
};

/** Checks whether the database has every migration. @throws CochleaError like `migrate` */
const isCurrent = async (url: string): Promise<boolean> => {
  try {
    return await onConnection(url, { name: 'migrate' }, async (sql) => {
      const [row] = await sql<{ known: boolean }[]>`select to_regclass(${table}) is not null as known`;
      if (row?.known !== true) return false;
      const applied = await sql<{ name: string }[]>`select name from ${sql(table)}`;
      if (applied.some(({ name }) => !migrationNames.includes(name))) {
        throw new CochleaError('database_schema_newer');
      }
      return applied.length === migrationNames.length;
    });
  } catch (thrown) {
    if (thrown instanceof CochleaError) throw thrown;
    throw new CochleaError(
      'database_unreachable',
      { where: databasePlace(url), why: reasonOf(thrown) },
      { cause: thrown },
    );
  }
};
