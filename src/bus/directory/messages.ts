/** A stream that an engine has opened. Names of users and keys are hashes. */
export interface OpenStream {
  readonly user: string;
  readonly key: string;
  /** Time at which the stream took its conversation, in microseconds of the database's clock. */
  readonly takenAt: number;
}

/**
 * A message between two engines. `opened` and `closed` go to the home of a user and contain the run of their sender.
 * `newer` goes to an engine if another engine has a newer stream of the key.
 */
export type DirectoryMessage =
  | ({ readonly kind: 'opened'; readonly run: string } & OpenStream)
  | { readonly kind: 'closed'; readonly run: string; readonly key: string }
  | { readonly kind: 'newer'; readonly key: string };

export const writeMessage = (message: DirectoryMessage): string => {
  if (message.kind === 'newer') return `newer:${message.key}`;
  const { kind, run, key } = message;
  return kind === 'closed'
    ? `closed:${run}:${key}`
    : `opened:${run}:${key}:${message.user}:${message.takenAt}`;
};

const run = '([0-9a-f]{8})';
const hash = '([A-Za-z0-9_-]{22})';
const opened = new RegExp(`^opened:${run}:${hash}:${hash}:([1-9][0-9]{0,15})$`);
const closed = new RegExp(`^closed:${run}:${hash}$`);
const newer = new RegExp(`^newer:${hash}$`);

/** Reads a message. @returns null if it is malformed. */
export const readMessage = (text: string): DirectoryMessage | null => {
  const open = opened.exec(text);
  if (open !== null) {
    const takenAt = Number(open[4]);
    if (!Number.isSafeInteger(takenAt)) return null;
    return { kind: 'opened', run: open[1]!, key: open[2]!, user: open[3]!, takenAt };
  }
  const close = closed.exec(text);
  if (close !== null) return { kind: 'closed', run: close[1]!, key: close[2]! };
  const told = newer.exec(text);
  return told === null ? null : { kind: 'newer', key: told[1]! };
};
