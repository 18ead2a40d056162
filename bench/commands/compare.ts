import { writeFileSync } from 'node:fs';
import { Command } from 'commander';

interface Options {
  readonly fail?: boolean;
  readonly all?: boolean;
  readonly contender: string[];
  readonly json?: string;
}

export const compareCommand = (): Command =>
  new Command('compare')
    .description('changes between two reports that exceed the noise of both')
    .argument('<A>', 'earlier report (--json of any suite)')
    .argument('<B>', 'later report')
    .option('--fail', 'exit with 1 when anything got worse')
    .option('--contender <name...>', 'rows of these contenders only', [])
    .option('--all', 'also show unchanged costs')
    .option('--json <file>', 'write the complete comparison to this file')
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- compare before.json after.json
  $ npm run bench -- compare before.json after.json --contender cochlea --fail`,
    )
    .action(async (a: string, b: string, { fail, all, contender, json }: Options) => {
      const { compareReports } = await import('../report/compare.js');
      const { printChanges } = await import('../report/changes.js');
      const { readReport } = await import('../report/read.js');
      const compared = compareReports(readReport(a), readReport(b), contender);
      if (!compared.changes.some(({ a, b }) => a !== undefined && b !== undefined))
        throw new Error('The reports have no row in common: they measured different things.');
      printChanges(compared, all === true, (line) => process.stdout.write(`${line}\n`));
      if (json !== undefined) writeFileSync(json, `${JSON.stringify(compared, null, 2)}\n`);
      if (fail && compared.changes.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1;
    });
