export { startTranslations } from './start-translations.js';
