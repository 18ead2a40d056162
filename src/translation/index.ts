/** Translates segments while their conversation is in progress. */
export { startTranslations } from './start-translations.js';
