const platformPattern = /^[a-z0-9._-]{1,32}$/;
const hashPattern = /^[a-z0-9._-]{1,64}$/;

const cleaned = (value: string, pattern: RegExp): string | null => {
  const lower = value.trim().toLowerCase();
  return pattern.test(lower) ? lower : null;
};

/** The device of a stream's client. A field is null if the client does not send a valid value for it. */
export interface ClientDevice {
  readonly platform: string | null;
  /** Id of the form `{platform}_{hash}`. It is one of the values that decide which conversation a stream continues. */
  readonly deviceId: string | null;
}

/**
 * Reads a client's device from the headers `X-App-Platform` and `X-Device-Id-Hash`, or from the auth message of the web
 * route. The device id is null if either value is missing, or if the hash is `default`.
 */
export const clientDevice = (platformValue: string, hashValue: string): ClientDevice => {
  const platform = cleaned(platformValue, platformPattern);
  const hash = cleaned(hashValue, hashPattern);
  const deviceId = platform === null || hash === null || hash === 'default' ? null : `${platform}_${hash}`;
  return { platform, deviceId };
};
