/**
 * Sends a signal. Signal 0 only tests whether the process exists.
 * @returns whether the process exists, even if this process may not signal it (EPERM)
 */
export const trySignal = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(pid, signal);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};
