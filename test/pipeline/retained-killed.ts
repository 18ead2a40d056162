/** Transcribes retained audio and kills itself at MOMENT: `node retained-killed.js URL FOLDER KEY MOMENT`. */
import { lookForRetained, transcribeRetained } from '../../src/pipeline/words/retained.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { contextOf, saying } from './retained-support.js';

const [url, folder, key, moment] = process.argv.slice(2);
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
};
const client = saying('Words that count once.');
const context = await contextOf(connectDatabase(url!, { max: 2, name: 'test' }), folder!, {
  ...client,
  transcribe: async (request) => {
    const result = await client.transcribe(request);
    return moment === 'transcribed' ? die() : result;
  },
});
await lookForRetained(context);
const archive = { ...context.archive, remove: async () => die() };
await transcribeRetained({ ...context, archive }, { key: key! });
