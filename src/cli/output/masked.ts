/**
 * Masks a credential for display: shows its first six and last four characters. Of a short credential, it shows the
 * first two and the last two characters.
 */
export const masked = (credential: string | undefined): string => {
  if (!credential) return '(none)';
  if (credential.length > 12) return `${credential.slice(0, 6)}…${credential.slice(-4)}`;
  return `${credential.slice(0, 2)}…${credential.slice(-2)}`;
};
