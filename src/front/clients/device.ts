const platformPattern = /^[a-z0-9._-]{1,32}$/;
const hashPattern = /^[a-z0-9._-]{1,64}$/;

const cleaned = (value: string, pattern: RegExp): string | null => {
  const lower = value.trim().toLowerCase();
  return pattern.test(lower) ? lower : null;
};

/** The device of a stream's client. A field is null if the client does not send a valid value. */
export interface ClientDevice {
  readonly platform: string | null;
  /** `{platform}_{hash}`. The id influences which conversation a stream continues. */
  readonly deviceId: string | null;
}

/**
 * Reads a client's device from the values of `X-App-Platform` and `X-Device-Id-Hash`, or of the web route's auth
 * message. If either is missing, or the hash is `default`, there is no device id.
 */
export const clientDevice = (platformValue: string, hashValue: string): ClientDevice => {
  const platform = cleaned(platformValue, platformPattern);
  const hash = cleaned(hashValue, hashPattern);
  const deviceId = platform === null || hash === null || hash === 'default' ? null : `${platform}_${hash}`;
  return { platform, deviceId };
};
