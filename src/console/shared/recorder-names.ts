/** Words for kinds of devices and applications, by the API's names. */
const names: Readonly<Record<string, string>> = {
  friend: 'Friend',
  fieldy: 'Fieldy',
  bee: 'Bee',
  plaud: 'Plaud',
  frame: 'Frame',
  friend_com: 'Friend',
  vendor_watch: 'a watch',
  phone: 'a phone',
  phone_call: 'a phone call',
  desktop: 'a computer',
  openglass: 'OpenGlass',
  screenpipe: 'Screenpipe',
  workflow: 'a workflow',
  sdcard: 'a memory card',
  external_integration: 'an application',
  limitless: 'Limitless',
  vendor_glasses: 'glasses',
};

/** Returns words for what records a conversation. Names without a meaning for people, such as `svc`, become a device. */
export const recorderOf = (source: string): string =>
  Object.hasOwn(names, source) ? names[source]! : 'a device';
