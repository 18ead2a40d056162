import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { CochleaError, reasonOf } from '../errors/index.js';
import { connectDatabase, databasePlace } from './database.js';
import { initialSchema } from './schema.js';

/** In order, never changed once released; a name is what the database remembers. */
const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001_initial', sql: initialSchema },
];

const table = 'schema_migrations';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Names of the migrations this program knows, oldest first. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);

/**
 * Brings the schema up to date in one transaction, under an advisory lock: programs that start at the same moment
 * wait for the first.
 * @throws CochleaError `database_unreachable`, or `database_schema_newer` when the database knows a migration that
 * this program does not; nothing is changed then.
 */
export const migrate = async (url: string): Promise<void> => {
  await refuseNewerSchema(url);
  await runner({
    databaseUrl: url,
    direction: 'up',
    migrationsTable: table,
    advisoryLockMode: 'wait',
    singleTransaction: true,
    logger: silent,
    // Migrations travel inside the compiled output. The library insists on a folder: it is shown this one, of which
    // it sees one file, and the loader hands over the table above instead.
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

const refuseNewerSchema = async (url: string): Promise<void> => {
  const sql = connectDatabase(url, { max: 1, name: 'migrate' });
  try {
    const [row] = await sql<{ known: boolean }[]>`select to_regclass(${table}) is not null as known`;
    if (row?.known !== true) return;
    const applied = await sql<{ name: string }[]>`select name from ${sql(table)}`;
    if (applied.some(({ name }) => !migrationNames.includes(name))) {
      throw new CochleaError('database_schema_newer');
    }
  } catch (thrown) {
    if (thrown instanceof CochleaError) throw thrown;
    throw new CochleaError(
      'database_unreachable',
      { where: databasePlace(url), why: reasonOf(thrown) },
      { cause: thrown },
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
};
