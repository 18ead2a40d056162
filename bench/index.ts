import { Command } from 'commander';
import { forbidTelemetry } from '../src/app/telemetry.js';
import { reasonOf } from '../src/errors/cochlea-error.js';
import { abCommand } from './commands/ab.js';
import { allCommand } from './commands/all.js';
import { compareCommand } from './commands/compare.js';
import { crowdCommand } from './commands/crowd.js';
import { fleetCommand } from './commands/fleet.js';
import { generatorCommand } from './commands/generator.js';
import { hostileCommand } from './commands/hostile.js';
import { inventedCommand } from './commands/invented.js';
import { jobsCommand } from './commands/jobs.js';
import { journalCommand } from './commands/journal.js';
import { costCommand } from './commands/load/cost.js';
import { dayCommand } from './commands/load/day.js';
import { consolesCommand } from './commands/machines/consoles.js';
import { fleetKillCommand } from './commands/machines/fleet-kill.js';
import { mcpCommand } from './commands/mcp.js';
import { microCommand } from './commands/micro.js';
import { packetsCommand } from './commands/packets.js';
import { providerSoakCommand } from './commands/provider-soak.js';
import { reportCommand } from './commands/report.js';
import { requestsCommand } from './commands/requests.js';
import { restCommand } from './commands/rest.js';
import { searchCommand } from './commands/search.js';
import { soakCommand } from './commands/soak.js';
import { speakersCommand } from './commands/speakers.js';
import { accuracyCommand } from './commands/speech/accuracy.js';
import { keywordsCommand } from './commands/speech/keywords.js';
import { languageSoakCommand } from './commands/speech/language-soak.js';
import { startCommand } from './commands/start.js';
import { translationsCommand } from './commands/translations.js';
import { voiceUploadsCommand } from './commands/voice-uploads.js';
import { wordsCommand } from './commands/words.js';

forbidTelemetry();

const program = new Command('bench')
  .description('measure this machine')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true })
  .addCommand(allCommand())
  .addCommand(microCommand())
  .addCommand(fleetCommand())
  .addCommand(costCommand())
  .addCommand(dayCommand())
  .addCommand(soakCommand())
  .addCommand(consolesCommand())
  .addCommand(crowdCommand())
  .addCommand(providerSoakCommand())
  .addCommand(fleetKillCommand())
  .addCommand(hostileCommand())
  .addCommand(inventedCommand())
  .addCommand(jobsCommand())
  .addCommand(keywordsCommand())
  .addCommand(languageSoakCommand())
  .addCommand(accuracyCommand())
  .addCommand(generatorCommand())
  .addCommand(journalCommand())
  .addCommand(restCommand())
  .addCommand(mcpCommand())
  .addCommand(requestsCommand())
  .addCommand(searchCommand())
  .addCommand(speakersCommand())
  .addCommand(startCommand())
  .addCommand(translationsCommand())
  .addCommand(voiceUploadsCommand())
  .addCommand(wordsCommand())
  .addCommand(reportCommand())
  .addCommand(compareCommand())
  .addCommand(abCommand())
  .addCommand(packetsCommand());

/** Words of the command line. Without words, or if the first word is an option, the suite `all` runs. */
const words = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
const [first = ''] = words;
if (words.length === 0 || (first.startsWith('-') && !['-h', '--help'].includes(first))) words.unshift('all');

try {
  await program.parseAsync(words, { from: 'user' });
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode ||= 1;
}
