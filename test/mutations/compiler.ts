/** Finds mutations that the compiler itself refuses. No test must detect them. */
import { join } from 'node:path';
import ts from 'typescript';

/** A source with one change. */
export interface ChangedSource {
  /** Path of the source in the checkout. */
  readonly file: string;
  readonly text: string;
}

/**
 * Returns the sources that the compiler accepts, with the settings of the checkout. Each becomes a file beside the source that it changes,
 * so that one program contains them all. Checking their imports takes longer than checking the sources.
 */
export const acceptedSources = <Source extends ChangedSource>(
  checkout: string,
  sources: readonly Source[],
): Source[] => {
  const { config } = ts.readConfigFile(join(checkout, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, checkout);
  const placed = new Map(
    sources.map((source, index) => [
      join(checkout, source.file.replace(/\.ts$/, `.change-${index}.ts`)),
      source,
    ]),
  );
  const made = { ...options, incremental: false, composite: false, noEmit: true };
  const host = ts.createCompilerHost(made);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => placed.has(path) || fileExists(path);
  host.readFile = (path) => placed.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, version, ...more) => {
    const text = placed.get(path)?.text;
    return text === undefined
      ? getSourceFile(path, version, ...more)
      : ts.createSourceFile(path, text, version, true);
  };
  const program = ts.createProgram([...placed.keys()], made, host);
  const isAccepted = (path: string): boolean => {
    const file = program.getSourceFile(path)!;
    return (
      program.getSyntacticDiagnostics(file).length === 0 && program.getSemanticDiagnostics(file).length === 0
    );
  };
  return [...placed].filter(([path]) => isAccepted(path)).map(([, source]) => source);
};
