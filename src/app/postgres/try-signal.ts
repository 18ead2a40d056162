/** Sends a signal; 0 only tests the process. @returns whether the process lives: EPERM means that it does. */
export const trySignal = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(pid, signal);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};
