/** Loopback hosts as they are spelled in addresses. */
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/** Redirect address of a program that listens on the user's machine, without its port. */
export interface LoopbackAddress {
  readonly host: string;
  /** Path and query. */
  readonly rest: string;
}

/**
 * Pattern of a loopback address, with groups for host, port, path and query. The pattern accepts only addresses that
 * all browsers interpret alike.
 */
const loopbackForm = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?([/?][!-~]*)?$/;
const privateForm = /^([a-z][a-z0-9+.-]*):\/[!-~]+$/;
/** Characters that browsers change, or that would end an HTML attribute or a directive of a content security policy. */
const unsafe = /[#\\"'<>^`{|};,]/;

/**
 * Schemes that clients may not use in redirect addresses. A browser would execute such an address, open a file, show a
 * page of its own, or start a program that is not an assistant.
 */
const refusedSchemes: ReadonlySet<string> = new Set(
  `
  about blob cid content data file filesystem jar javascript livescript mhtml mid mocha res resource vbscript view-source wyciwyg
  chrome chrome-devtools chrome-error chrome-extension chrome-search chrome-untrusted devtools
  brave edge extension moz-extension ms-browser-extension opera safari safari-extension safari-web-extension
  android-app intent itms itms-apps itms-services market ms-appx ms-appx-web ms-msdt search-ms shell
  dav davs ftp ftps git gopher ldap ldaps nfs sftp smb ssh svn telnet tftp wais ws wss
  facetime feed geo im mailto news nntp sip sips sms tel urn webcal xmpp
  `
    .trim()
    .split(/\s+/),
);

/**
 * Returns the parts of an `http` loopback address (RFC 8252, 7.3); null for any other address. An absent path counts as
 * `/`.
 */
export const loopbackAddress = (address: string): LoopbackAddress | null => {
  const [, host, port = '1', rest = ''] = loopbackForm.exec(address) ?? [];
  if (host === undefined || Number(port) > 65_535 || unsafe.test(rest)) return null;
  return { host, rest: rest.startsWith('/') ? rest : `/${rest}` };
};

/** Returns the private-use scheme of an address (RFC 8252, 7.1), such as `cursor`; null for any other address. */
export const privateScheme = (address: string): string | null => {
  const scheme = privateForm.exec(address)?.[1];
  if (scheme === undefined || scheme.startsWith('http') || refusedSchemes.has(scheme)) return null;
  if (unsafe.test(address) || !URL.canParse(address)) return null;
  const { href, username, password } = new URL(address);
  return href === address && username === '' && password === '' ? scheme : null;
};

/**
 * Checks whether a redirect to this address goes to a program on the user's machine. A different program on the machine
 * could receive such a redirect.
 */
export const isLocal = (address: string): boolean =>
  /^http:/i.test(address) || privateScheme(address) !== null;

/** Checks whether a client may register a redirect address: https, http on loopback, or a private-use scheme. */
export const canRegister = (address: string): boolean => {
  if (privateScheme(address) !== null) return true;
  if (!URL.canParse(address) || address.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname));
};

/**
 * Checks whether a client may register a prefix, which stands for all addresses that begin with it. The prefix must be
 * https, or http on loopback, and spelled as browsers spell it.
 */
export const canRegisterBelow = (address: string): boolean => {
  if (!canRegister(address) || privateScheme(address) !== null) return false;
  const { href, search } = new URL(address);
  return href === address && search === '' && address.endsWith('/');
};

/** Checks whether a loopback address uses https. Native clients cannot use such an address. */
export const isSecureLoopback = (address: string): boolean =>
  address.startsWith('https:') && loopbackHosts.includes(new URL(address).hostname);
