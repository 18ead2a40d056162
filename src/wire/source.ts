/**
 * Kinds of devices and applications that conversations come from: the API's enumeration ConversationSource.
 */
export const conversationSources: readonly string[] = [
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
  'desktop',
  'openglass',
  'screenpipe',
  'workflow',
  'sdcard',
  'external_integration',
  'limitless',
  'vendor_glasses',
  'onboarding',
  'unknown',
];
