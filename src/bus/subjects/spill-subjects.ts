/** Name of the NATS stream that stores copies of spilled entries. Sidecars make this stream. */
export const spillStream = 'cochlea_spill';

/** Subjects of the stream: copies of the entries of a journal, and canaries of an engine process. */
export const spillSubjects = ['cochlea.engine.*.spill.*.*.*', 'cochlea.engine.*.canary.*'] as const;

/** Pattern of a journal's name in a subject: the engine's id, the shard's number, and the journal's own id. */
const journalName = /^[A-Za-z0-9_-]{1,64}\.[0-9]{1,4}\.[0-9a-f-]{36}$/;

/**
 * Returns the subject of the copies of a journal. The subject contains the name of the engine's machine. The servers
 * permit such subjects only to the credentials of this machine.
 * @returns null if the name of the journal cannot be part of a subject.
 */
export const copySubject = (name: string, journal: string): string | null =>
  journalName.test(journal) ? `cochlea.engine.${name}.spill.${journal}` : null;

/** Returns the name of the journal in a subject of copies; null if the subject contains none. */
export const journalOfSubject = (subject: string): string | null => {
  const journal = /^cochlea\.engine\.[^.]+\.spill\.(.+)$/.exec(subject)?.[1] ?? '';
  return journalName.test(journal) ? journal : null;
};

/** Returns the subject of the canaries of an engine process. */
export const canarySubject = (name: string, process: number): string =>
  `cochlea.engine.${name}.canary.${process}`;

/** The subjects of all canaries. */
export const canarySubjects = spillSubjects[1];
