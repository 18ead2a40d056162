/**
 * Counts the lines of code of a source tree. A line counts if it contains a part of a statement. Blank lines and
 * comments do not count.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import ts from 'typescript';

/** Generated files of `src`. They do not count. */
export const generatedFiles: readonly string[] = ['client/description.ts'];

/** Numbers of a module. A module is a folder that contains files. */
export interface ModuleLines {
  /** Path below the source folder, or `.` for the source folder itself. */
  readonly name: string;
  readonly files: number;
  readonly lines: number;
}

/**
 * Counts the lines of TypeScript or JavaScript that contain a part of a token. A line inside a template literal counts
 * unless it is blank.
 * @param path path of the file. Its extension tells the language.
 */
export const countLines = (path: string, text: string): number => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const rows = text.split('\n');
  const lines = new Set<number>();
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    for (const child of children) visit(child);
    const [start, end] = [node.getStart(source), node.getEnd()];
    if (children.length > 0 || start === end) return;
    for (let line = lineOf(start); line <= lineOf(end); line++)
      if (rows[line]!.trim() !== '') lines.add(line);
  };
  visit(source);
  return lines.size;
};

/**
 * Returns whether a file counts. TypeScript, declaration files and JavaScript modules count. Generated files do not.
 */
const counts = (file: string): boolean => /\.m?ts$|\.mjs$/.test(file) && !generatedFiles.includes(file);

/** Counts each module of a source folder. Returns the modules sorted by name. */
export const countModules = (source: string): ModuleLines[] => {
  const modules = new Map<string, { files: number; lines: number }>();
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    const file = path.split(sep).join('/');
    if (!counts(file)) continue;
    const sum = modules.get(dirname(file)) ?? { files: 0, lines: 0 };
    sum.files++;
    sum.lines += countLines(file, readFileSync(join(source, path), 'utf8'));
    modules.set(dirname(file), sum);
  }
  return [...modules].map(([name, sum]) => ({ name, ...sum })).sort((a, b) => (a.name < b.name ? -1 : 1));
};
