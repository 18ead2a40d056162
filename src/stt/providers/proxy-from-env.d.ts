/** The package has no types of its own. */
declare module 'proxy-from-env' {
  /** The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for an address; empty when there is none. */
  export const getProxyForUrl: (url: string | URL) => string;
}
