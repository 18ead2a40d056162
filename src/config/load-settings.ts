import ipaddr from 'ipaddr.js';
import { CochleaError } from '../errors/index.js';
import { busExposureOf } from './bus-exposure.js';
import { leastConnections } from './connections.js';
import { exposureOf } from './exposure.js';
import type { Setting } from './settings/index.js';
import { type SettingName, type Settings, settings } from './settings.js';

/** Source of a setting's value. */
export type Origin = 'default' | 'environment';

export interface LoadedSettings {
  readonly values: Settings;
  readonly origins: Readonly<Record<SettingName, Origin>>;
}

const names = Object.keys(settings) as SettingName[];

/**
 * Reads every setting from the environment variables. An empty variable counts as absent.
 * @throws CochleaError `setting_invalid` naming the first variable that does not parse.
 */
export const loadSettings = (environment: NodeJS.ProcessEnv = process.env): LoadedSettings => {
  refuseFormerNames(environment);
  const values: Record<string, unknown> = {};
  const origins = {} as Record<SettingName, Origin>;
  for (const name of names) {
    const { env, schema } = settings[name] as Setting;
    const given = environment[env];
    const present = given !== undefined && given !== '';
    const parsed = schema.safeParse(present ? given : undefined);
    if (!parsed.success) {
      throw new CochleaError('setting_invalid', {
        name: env,
        why: parsed.error.issues[0]?.message ?? 'not valid',
      });
    }
    values[name] = parsed.data;
    origins[name] = present ? 'environment' : 'default';
  }
  const loaded = { values: values as Settings, origins };
  refuseContradictions(loaded.values);
  return loaded;
};

/**
 * Former names of settings, and their present names. A former name is refused, because the program would otherwise
 * ignore the setting and write audio to a different place.
 */
const formerNames: readonly (readonly [former: string, present: string])[] = [
  ['RETAINED_AUDIO_BUCKET', 'BUCKET_URL'],
  ['RETAINED_AUDIO_REGION', 'BUCKET_REGION'],
  ['RETAINED_AUDIO_ACCESS_KEY', 'BUCKET_ACCESS_KEY'],
  ['RETAINED_AUDIO_SECRET_KEY', 'BUCKET_SECRET_KEY'],
];

const refuseFormerNames = (environment: NodeJS.ProcessEnv): void => {
  for (const [name, present] of formerNames) {
    if (environment[name])
      throw new CochleaError('setting_invalid', { name, why: `is now named ${present}` });
  }
};

const isProxyName = (word: string): boolean =>
  word === 'loopback' || word === 'none' || ipaddr.isValid(word) || ipaddr.isValidCIDR(word);

/** Pattern of an origin as browsers send it: scheme, host and an optional port. Applications may use custom schemes. */
const originForm = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/i;

/** Settings with provider keys, each with the setting for the path of a file that contains the key. */
const keysWithFiles = [
  ['providerBKey', 'providerBKeyFile'],
  ['deepgramKey', 'deepgramKeyFile'],
] as const;

/**
 * For each translator: the setting that it needs, and the setting that the error names if the needed setting is empty.
 */
const neededByTranslator: Readonly<
  Record<
    Settings['translator'],
    { readonly setting: SettingName; readonly refused: SettingName; readonly why: string } | null
  >
> = {
  off: null,
  llm: {
    setting: 'llmBaseUrl',
    refused: 'translator',
    why: 'llm needs the address of a language model, LLM_BASE_URL',
  },
  libretranslate: {
    setting: 'libretranslateUrl',
    refused: 'libretranslateUrl',
    why: 'TRANSLATOR is libretranslate and needs the address of the server',
  },
};

/** Checks whether traffic to an address is private, because it uses TLS or loopback. */
const isPrivateTransport = (address: string): boolean =>
  /^(wss|https):/.test(address) || ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(address).hostname);

type Refuse = (name: SettingName, why: string) => never;

const refuseConsoleClient = (
  { consoleClientId: id, consoleClientSecret: secret, idTokenIssuer: issuer }: Settings,
  refuse: Refuse,
): void => {
  if (id === '') {
    if (secret !== '')
      refuse('consoleClientId', 'CONSOLE_CLIENT_SECRET is set and needs the id of the client');
    return;
  }
  if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer))
    refuse('consoleClientId', 'needs ID_TOKEN_ISSUER with a web address, where the sign-in is found');
  if (!isPrivateTransport(issuer))
    refuse('idTokenIssuer', 'people sign in there, so it must be https; http on loopback only');
};

const refuseContradictions = (values: Settings): void => {
  const refuse = (name: SettingName, why: string): never => {
    throw new CochleaError('setting_invalid', { name: settings[name].env, why });
  };
  const exposed = exposureOf(values) ?? busExposureOf(values);
  if (exposed !== undefined) refuse(exposed.name, exposed.why);
  for (const origin of values.allowedOrigins) {
    if (origin !== '*' && !originForm.test(origin)) {
      refuse(
        'allowedOrigins',
        `${origin} is not an origin; write scheme and host, as https://app.example.org`,
      );
    }
  }
  if (values.authMode === 'uid' && values.allowedOrigins.includes('*')) {
    refuse('allowedOrigins', 'with AUTH_MODE=uid "*" would admit every web page as any user');
  }
  if (values.idTokenJwks !== '' && values.idTokenIssuer === '') {
    refuse('idTokenIssuer', 'ID_TOKEN_JWKS is set and needs the name of the issuer of these keys');
  }
  refuseConsoleClient(values, refuse);
  if (values.databaseUrl !== '' && !/^postgres(ql)?:\/\//.test(values.databaseUrl)) {
    refuse('databaseUrl', 'must look like postgres://user:password@host/database');
  }
  if (values.llmBaseUrl !== '' && values.llmModel === '') {
    refuse('llmModel', 'LLM_BASE_URL is set and needs the name of a model');
  }
  if (values.retainedKey !== '' && values.retainedKeyFile !== '') {
    refuse('retainedKeyFile', 'RETAINED_AUDIO_KEY is set, too; set one of them');
  }
  if (values.bucketUrl !== '' && !/^https?:\/\/[^\s/?#@]+\/[^\s?#]+$/.test(values.bucketUrl)) {
    refuse('bucketUrl', 'must look like https://HOST/BUCKET or https://HOST/BUCKET/PREFIX');
  }
  if (values.bucketUrl !== '' && (values.bucketAccessKey === '' || values.bucketSecretKey === '')) {
    refuse('bucketAccessKey', 'BUCKET_URL is set and needs an access key and its secret key');
  }
  for (const [key, file] of keysWithFiles) {
    if (values[key] !== '' && values[file] !== '')
      refuse(file, `${settings[key].env} is set, too; set one of them`);
  }
  for (const name of ['providerBUrl', 'providerBBatchUrl'] as const) {
    if (!isPrivateTransport(values[name]))
      refuse(name, 'must be wss or https, because requests contain the key; ws and http on loopback only');
  }
  if (values.deepgramEnabled && values.deepgramUrl === '') {
    refuse('deepgramUrl', 'DEEPGRAM_SELF_HOSTED_ENABLED is set and needs the address of the instance');
  }
  const needed = neededByTranslator[values.translator];
  if (needed !== null && values[needed.setting] === '') refuse(needed.refused, needed.why);
  if (values.llmApiKey !== '' && values.llmApiKeyFile !== '') {
    refuse('llmApiKeyFile', 'LLM_API_KEY is set, too; set one of them');
  }
  if ((values.ringSize & (values.ringSize - 1)) !== 0) refuse('ringSize', 'must be a power of two');
  if (values.vadOff > values.vadOnset) refuse('vadOff', 'must not exceed VAD_ONSET');
  const strange = values.trustedProxies.find((word) => !isProxyName(word));
  if (strange !== undefined) refuse('trustedProxies', `"${strange}" is neither an address nor a network`);
  const least = leastConnections(values);
  if (values.databaseConnections !== 0 && values.databaseConnections < least) {
    refuse('databaseConnections', `SHARDS and ENGINE_PROCESSES need at least ${least}`);
  }
  if (values.corsOrigins.includes('*')) refuse('corsOrigins', '"*" is not allowed');
};

/** Returns the sample of all settings with defaults and comments, shipped as `deploy/cochlea.env.sample`. */
export const settingsSample = (): string => {
  const defaults = loadSettings({}).values;
  const lines = [
    '# Every setting of Cochlea with its default. Made by "cochlea settings --sample"; do not edit.',
    '',
  ];
  for (const name of names) {
    const { env, comment, unit } = settings[name] as Setting;
    const value: unknown = defaults[name];
    const shown = Array.isArray(value) ? value.join(',') : String(value);
    const words = `${comment}${unit ? ` [${unit}]` : ''}`;
    lines.push(`# ${words}`, `#${env}=${shown}`, '');
  }
  return lines.join('\n');
};
