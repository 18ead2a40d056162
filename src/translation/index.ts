export { startTranslations, type TranslationThread } from './start-translations.js';
