/** Declares the types, because the package has none. */
declare module 'proxy-from-env' {
  /**
   * Returns the proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY select for an address; empty if none
   * applies.
   */
  export const getProxyForUrl: (url: string | URL) => string;
}
