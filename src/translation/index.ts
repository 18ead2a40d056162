/** Translates segments while they are spoken. */
export { startTranslations } from './start-translations.js';
