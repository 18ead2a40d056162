/**
 * Returns the address of a link to the console. The secret is the fragment of the address, which browsers do not send
 * to servers.
 */
export const consoleAddress = (base: string, secret: string): string => `${base}/console/enter#${secret}`;

/**
 * Returns the line that tells a person about a link to the console. @param seconds time until the link is no longer
 * valid.
 */
export const consoleInvitation = (address: string, seconds: number): string =>
  `Open the console (works once, ${seconds / 60} minutes): ${address}`;

/** Opens an address in a browser of this machine. A failure is ignored, because the person can open the address by hand. */
export const openInBrowser = async (address: string): Promise<void> => {
  const { default: openBrowser } = await import('open');
  await openBrowser(address).catch(() => undefined);
};
