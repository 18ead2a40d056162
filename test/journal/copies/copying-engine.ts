/**
 * An engine that stores the words that its parent process sends, and copies its spill. Arguments: database, bus, spill
 * folder, user. It answers each message with the place where the words were stored: the database or the spill.
 */
import { change, opening, stored, testJournal } from '../support.js';
import { copyingEngine } from './support.js';

const [databaseUrl = '', busUrl = '', spillDir = '', uid = ''] = process.argv.slice(2);
const engine = await copyingEngine({ teardown: () => undefined }, busUrl);
await engine.ready();
const { journal } = await testJournal(databaseUrl, spillDir, {
  ...engine.options,
  leaseDuration: 60_000,
  databaseTimeout: 10_000,
});
const { lease } = await journal.open(opening({ uid }));
const id = lease.conversationId;
process.on('message', (words: readonly string[]) => {
  const segments = words.map((word) => stored(`${uid}-${word}`, word, Number(word)));
  void journal
    .commit([change(lease, segments)])
    .then((outcomes) => process.send?.({ conversation: id, how: outcomes.get(id) }));
});
process.send?.({ conversation: id, how: 'begun' });
