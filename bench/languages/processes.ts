import { readFileSync } from 'node:fs';
import { familyOf, type ProcessEntry } from '../fleet/process-usage.js';

/** Parts of the server whose memory is measured. */
export const parts = ['engine', 'service', 'decoder'] as const;
export type Part = (typeof parts)[number];

/** Ids of the processes of each part. */
export type Processes = Readonly<Record<Part, readonly number[]>>;

const serviceCommand = / transcriber\s*$/;
const engineCommand = / engine( --index \d+)?\s*$/;

/**
 * Finds the engine, the transcription service and its decoders. @param supervisor id of the process that started them.
 */
export const processesOf = (
  supervisor: number,
  all: readonly ProcessEntry[] = familyOf(supervisor),
): Processes => {
  const service = all.filter(({ command }) => serviceCommand.test(command)).map(({ pid }) => pid);
  return {
    engine: all.filter(({ command }) => engineCommand.test(command)).map(({ pid }) => pid),
    service,
    decoder: all.filter(({ parent }) => service.includes(parent)).map(({ pid }) => pid),
  };
};

/** Returns the resident memory of a process in KB; undefined if it has ended. */
export const residentKb = (pid: number): number | undefined => {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
};
