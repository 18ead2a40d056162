import { readFileSync } from 'node:fs';
import { parseReport, type Report } from './envelope.js';

/**
 * Reads a report that a suite wrote with `--json`.
 * @throws Error that names the file and the fault.
 */
export const readReport = (file: string): Report => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as a report: ${(error as Error).message}`);
  }
  return parseReport(value, file);
};
