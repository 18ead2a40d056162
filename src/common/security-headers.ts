/**
 * Headers of every HTTP response of front and sidecar. They tell browsers not to guess the content type, run scripts,
 * show the response in a frame, or store a copy.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
