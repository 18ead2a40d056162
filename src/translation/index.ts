/** Translates segments during a conversation. */
export { startTranslations } from './start-translations.js';
