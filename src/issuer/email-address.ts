const longestEmail = 254;
/** No blanks, control characters, and what a mail server would take for more than one address. */
const localForm = /^[^\s@<>(),;:"\\[\]\p{Cc}\p{Cf}]{1,64}$/u;
const domainForm = /^[\p{L}\p{N}\p{M}-]+(\.[\p{L}\p{N}\p{M}-]+)*$/u;
const numeric = /^[\d.]+$/;

/**
 * The form in which an address is kept and compared; null for what is no address. The domain is spelled as a mail server would
 * look it up, so that one mailbox has not several names here.
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

/** What stands for the mailbox of a canonical address: many services deliver `ann+news@` to `ann@`. */
export const mailboxOf = (email: string): string => email.replace(/(?<=^[^+@]+)\+[^@]*/, '');
