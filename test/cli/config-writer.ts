/** A program that changes a configuration file repeatedly, and reports each change. The test kills it. */
import { changeConfig } from '../../src/cli/config/config-file.js';

const [path, mark] = process.argv.slice(2);
for (let turn = 0; ; turn++) {
  await changeConfig(path!, (config) => {
    config.profiles = {
      default: { api_base: `https://${mark}-${turn}.example`, api_key: 'k'.repeat(20_000) },
    };
  });
  process.stdout.write('changed\n');
}
