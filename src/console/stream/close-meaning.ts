/** What a client does after a close: it reconnects after at least `wait` ms, or it gives up and shows the remedy. */
export type CloseMeaning =
  | { readonly again: true; readonly wait: number }
  | { readonly again: false; readonly remedy: string };

const reconnect = (wait = 0): CloseMeaning => ({ again: true, wait });
const giveUp = (remedy: string): CloseMeaning => ({ again: false, remedy });

/**
 * If a newer stream of the same device has replaced a stream, the replaced stream reconnects after this many ms.
 * `Backoff` waits 75 to 125 % of this time, so the wait is always longer than the 30 s of the protocol.
 */
const replacedWait = 45_000;

/** Matches reasons of closes with code 1008 after which a reconnect may succeed. */
const passing = /^(message_flood|slow_reader|texts_over_budget|Auth timeout)/;

/** Returns what a client does after a close that it did not ask for. See the close codes of `docs/protocol.md`. */
export const closeMeaning = (code: number, reason: string): CloseMeaning => {
  switch (code) {
    case 1003:
      return giveUp(`The service does not take this audio: ${reason}.`);
    case 1008:
      if (reason.startsWith('Invalid token')) return giveUp('The session has ended. Sign in again.');
      return passing.test(reason)
        ? reconnect(5000)
        : giveUp(`The service refused the stream: ${reason || 'no reason given'}.`);
    case 1009:
      return giveUp('A message was too large.');
    case 1012:
      return reconnect(reason.startsWith('stream_replaced') ? replacedWait : 0);
    case 4004:
      return giveUp('The account was signed out everywhere or deleted. Sign in again.');
    default:
      return reconnect();
  }
};
