/**
 * Headers of every HTTP answer, the front's own and the sidecar's: browsers neither guess its type nor run anything in it, show
 * it in no frame, and keep no copy.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
