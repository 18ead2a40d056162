/**
 * Sources of conversations that clients may name. The list is written out, so that a test notices a name that was changed or removed in
 * the product.
 */
export const sourceNames = [
  ...[
    'friend',
    'svc',
    'fieldy',
    'bee',
    'plaud',
    'frame',
    'friend_com',
    'vendor_watch',
    'phone',
    'phone_call',
  ],
  ...['desktop', 'openglass', 'screenpipe', 'workflow', 'sdcard', 'external_integration', 'limitless'],
  ...['vendor_glasses', 'onboarding', 'unknown'],
] as const;
