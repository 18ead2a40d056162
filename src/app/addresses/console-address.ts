/** Returns the address of a link to the console. The secret is its fragment, which browsers send to no server. */
export const consoleAddress = (base: string, secret: string): string => `${base}/console/enter#${secret}`;

/** Returns the line that tells a person about a link to the console. @param seconds until the link ends. */
export const consoleInvitation = (address: string, seconds: number): string =>
  `Open the console (works once, ${seconds / 60} minutes): ${address}`;

/** Opens an address in a browser of this machine. A failure is ignored, because the person can open the address by hand. */
export const openInBrowser = async (address: string): Promise<void> => {
  const { default: openBrowser } = await import('open');
  await openBrowser(address).catch(() => undefined);
};
