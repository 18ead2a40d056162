/** Sources of conversations that clients may name, written out: a name that is changed or missing in the product is found by it. */
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
