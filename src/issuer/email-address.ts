const longestEmail = 254;
/**
 * Pattern of the part before the `@`. Excludes blanks, control characters, and characters that mail servers use to
 * separate addresses.
 */
const localForm = /^[^\s@<>(),;:"\\[\]\p{Cc}\p{Cf}]{1,64}$/u;
const domainForm = /^[\p{L}\p{N}\p{M}-]+(\.[\p{L}\p{N}\p{M}-]+)*$/u;
const numeric = /^[\d.]+$/;

/**
 * Returns the canonical form of an e-mail address for storage and comparison; null if the text is not an address. The
 * domain gets the spelling that mail servers use, so that each mailbox has only one canonical address.
 */
export const canonicalEmail = (given: string): string | null => {
  if (given.length > 4 * longestEmail) return null;
  const [local = '', written = '', ...more] = given.trim().split('@');
  const domain = written.normalize('NFKC').replaceAll('\u3002', '.').toLowerCase();
  if (more.length > 0 || !localForm.test(local) || !domainForm.test(domain) || numeric.test(domain))
    return null;
  const email = `${local.normalize('NFC').toLowerCase()}@${domain}`;
  return email.length <= longestEmail ? email : null;
};

/** Returns a canonical address without the part after `+`, because many services deliver `ann+news@` to `ann@`. */
export const mailboxOf = (email: string): string => email.replace(/(?<=^[^+@]+)\+[^@]*/, '');
