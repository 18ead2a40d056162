import { Command } from 'commander';

export const reportCommand = (): Command =>
  new Command('report')
    .description('show a report again, as tables or as a page with plots')
    .argument('<file>', 'report written by --json of a suite')
    .option('--markdown <file>', 'write it as Markdown tables')
    .option('--html <file>', 'write it as an HTML page with plots')
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- report cost.json
  $ npm run bench -- report cost.json --html cost.html`,
    )
    .action(async (file: string, files: { markdown?: string; html?: string }) => {
      const { readReport } = await import('../report/read.js');
      const { printHead } = await import('../report/report.js');
      const { printTable } = await import('../report/table.js');
      const { writeReport } = await import('../report/write.js');
      const report = readReport(file);
      const print = (line: string): void => void process.stdout.write(`${line}\n`);
      printHead(report, print);
      printTable(report.results, print);
      writeReport(report, files);
    });
