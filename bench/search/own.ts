import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { type Search, startSearch } from '../../src/service/search/search.js';
import { connectDatabase, type Sql } from '../../src/store/client/database.js';
import { pendingTexts, storeVectors } from '../../src/store/search/search.js';

export const uid = 'bench';

/** Returns the text of a memory. It contains the index of the memory's vector. */
export const contentOf = (row: number): string => `Memory number ${row}, about what the user likes to do.`;

const rowOf = (content: string): number => Number(/\d+/.exec(content)![0]);

const fill = async (sql: Sql, vectors: readonly Float32Array[]): Promise<void> => {
  await createUser(sql, { uid });
  const contents = vectors.map((_, row) => contentOf(row));
  await sql`
    insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at)
    select gen_random_uuid(), ${uid}, content, 'other', 'private', true, true, '01_999_1772359200', now(), now()
    from jsonb_array_elements_text(${JSON.stringify(contents)}::text::jsonb) as content`;
  for (;;) {
    const texts = await pendingTexts(sql, 500);
    if (texts.length === 0) break;
    await storeVectors(
      sql,
      texts,
      texts.map(({ text }) => vectors[rowOf(text)]!),
    );
  }
  await sql`vacuum analyze`;
};

export interface OwnSearch {
  /** Returns the indices of the vectors nearest to `vector`, best first. */
  nearest(vector: Float32Array): Promise<number[]>;
  /** Searches with a text, as a REST request does: runs the model, compares words and reads records. */
  readonly search: Search;
  readonly sql: Sql;
  stop(): Promise<void>;
}

/** Starts the product's search in the memories of one user. Each memory has one of the given vectors. */
export const startOwn = async (url: string, vectors: readonly Float32Array[]): Promise<OwnSearch> => {
  const sql = connectDatabase(url, { max: 4, name: 'bench' });
  await fill(sql, vectors);
  const settings = loadSettings({ SENTENCE_MODEL: 'minilm' }).values;
  const search = startSearch({ settings, sql, log: createLogger('bench', 'silent') });
  return {
    async nearest(vector) {
      const found = await search.nearestMemories(uid, vector, 10);
      return found.map(({ memory }) => rowOf(memory.content));
    },
    search,
    sql,
    async stop() {
      await search.close();
      await sql.end({ timeout: 1 });
    },
  };
};
