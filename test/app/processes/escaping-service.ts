/** A child process with a service. The arguments name the errors that escape in it. */
import { setImmediate as turn } from 'node:timers/promises';
import { serve } from '../../../src/app/process/child-link.js';
import { createLogger } from '../../../src/log/logger.js';

const [how, secret] = process.argv.slice(2);
const log = createLogger('escaping', { logLevel: 'info', logBuffer: 65_536, logRepeats: 0 });
// This timer simulates a listener: it keeps the process alive until the service closes it.
const listener = setInterval(() => undefined, 1000);

await serve(
  async () => {
    const fail = (): void => {
      if (how === 'rejection') void Promise.reject(new Error(secret));
      else {
        setImmediate(() => {
          throw new Error(secret);
        });
      }
    };
    setTimeout(fail, 10);
    return {
      port: 1,
      async close() {
        process.stdout.write('closing\n');
        if (how === 'twice') fail();
        if (how === 'twice' || how === 'hangs') await new Promise(() => undefined);
        // Waits one turn of the event loop. Otherwise the process ends before it prints its last line.
        await turn();
        process.stdout.write('closed\n');
        clearInterval(listener);
      },
    };
  },
  log,
  how === 'hangs' ? 300 : 60_000,
);
