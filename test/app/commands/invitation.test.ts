/**
 * The demo prints commands for a second terminal. They name the service's address, because that terminal lacks the
 * demo's settings.
 */
import t from 'tap';
import { consoleInvitation } from '../../../src/app/addresses/index.js';
import { invitation } from '../../../src/app/demo/invitation.js';

t.test("prints commands with the engine's own port", async (t) => {
  const credentials = { uid: 'ann', token: 'T', key: 'K' };
  const text = invitation(
    'http://127.0.0.1:9123',
    'ws://127.0.0.1:9123/v4/listen',
    credentials,
    'ID',
    consoleInvitation('LINK', 600),
  );
  const commands = text.split('\n').filter((line) => line.startsWith('  '));
  t.equal(commands.length, 3);
  for (const command of commands) t.match(command, '127.0.0.1:9123', command);
  t.match(text, 'Open the console (works once, 10 minutes): LINK');
  t.match(text, "npx cochlea listen fixtures/speech/*.wav --url 'ws://127.0.0.1:9123/v4/listen' --token 'T'");
});
