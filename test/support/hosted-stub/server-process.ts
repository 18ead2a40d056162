/**
 * Runs a stub of a hosted service in its own process, for benches: `node server-process.js NAME SECONDS`. When the stub
 * listens, it prints its address in one line. It returns words after every SECONDS seconds of audio. A signal ends it.
 */
import { type HostedName, stubProtocols } from './protocols.js';
import { startHostedStub } from './server.js';

const [, , name = '', seconds = '5'] = process.argv;
if (!Object.hasOwn(stubProtocols, name)) throw new Error(`there is no stub of ${name}`);
const stub = await startHostedStub(name as HostedName, Number(seconds));
process.stdout.write(`ready ${stub.url}\n`);
