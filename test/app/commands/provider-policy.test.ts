/** Tests how the setting for the list of transcription providers is parsed. */
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';

t.test('reads the list of providers in order', async (t) => {
  const rows: readonly (readonly [given: string | undefined, order: readonly string[]])[] = [
    [undefined, ['provider_b', 'provider_a', 'deepgram', 'local']],
    ['local', ['local']],
    [' LOCAL , Provider_A ', ['local', 'provider_a']],
    ['modulate-velma-2,parakeet,provider_b', ['provider_b', 'provider_a']],
  ];
  for (const [given, order] of rows)
    t.same(loadSettings({ STT_SERVICE_MODELS: given }).values.sttModels, order, String(given));
});

t.test('refuses an unknown provider and lists the known ones', async (t) => {
  for (const given of ['local,soniox', 'constructor', '__proto__']) {
    t.throws(() => loadSettings({ STT_SERVICE_MODELS: given }), {
      code: 'setting_invalid',
      message: /STT_SERVICE_MODELS.*provider_b, provider_a, deepgram, local/s,
    });
  }
});
