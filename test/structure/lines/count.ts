/**
 * Prints the lines of code of `src` by module, by part and in total. Generated files, model graphs and their Python
 * program do not count.
 *
 *   node dist/test/structure/lines/count.js [CHECKOUT]   counts this checkout, or another one
 */
import { join } from 'node:path';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { partOf } from '../modules/modules.js';
import { countModules, generatedFiles, type ModuleLines } from './lines.js';

const row = (name: string, modules: readonly ModuleLines[]): string => {
  const sum = (key: 'files' | 'lines'): number => modules.reduce((all, module) => all + module[key], 0);
  return `${String(sum('lines')).padStart(7)} ${String(sum('files')).padStart(5)}  ${name}`;
};

const modules = countModules(join(process.argv[2] ?? packageDirectory(), 'src'));
const parts = [...new Set(modules.map(({ name }) => partOf(name)))];
console.log(
  [
    `Lines of code and files of TypeScript and .mjs, without ${generatedFiles.join(', ')}`,
    '',
    ...modules.map((module) => row(module.name, [module])),
    '',
    ...parts.map((part) =>
      row(
        part,
        modules.filter(({ name }) => partOf(name) === part),
      ),
    ),
    '',
    row('in all', modules),
  ].join('\n'),
);
