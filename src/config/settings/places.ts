import { type Setting, setting, text } from './setting.js';

/** Settings of folders, the bucket, and sources of models. */
export const placesSettings = {
  dataDir: setting(
    'COCHLEA_DATA_DIR',
    text(''),
    'Data folder: embedded database, spill, retained audio, models and other files. Empty: .cochlea in the checkout, or as root a folder for this checkout in /var/lib/cochlea.',
  ),
  bucketUrl: setting(
    'BUCKET_URL',
    text(''),
    'Bucket of an S3-compatible server for retained audio, images and recordings, as https://HOST/BUCKET/PREFIX. Empty: they stay in the data folder.',
  ),
  bucketRegion: setting('BUCKET_REGION', text('us-east-1'), 'Region of the bucket.'),
  bucketAccessKey: setting('BUCKET_ACCESS_KEY', text(''), 'Access key of the bucket.'),
  bucketSecretKey: setting('BUCKET_SECRET_KEY', text(''), 'Secret key of the bucket.', { secret: true }),
  modelsDir: setting(
    'COCHLEA_MODELS_DIR',
    text(''),
    'Folder with model files from the operator. It is searched before any download.',
  ),
  modelsMirror: setting(
    'COCHLEA_MODELS_MIRROR',
    text(''),
    'Base address of a mirror of model files, which is tried before all other sources.',
  ),
} as const satisfies Record<string, Setting>;
