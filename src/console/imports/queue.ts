import { signal } from '@preact/signals';
import { type ImportItem, ImportQueue } from '../importing/index.js';
import { addUnfinished } from '../shared/index.js';
import { transport } from './send-file.js';

/** The imported files. They do not belong to a component, so an import continues while other pages are shown. */
export const imports = signal<readonly ImportItem<File>[]>([]);
/** Number of files whose words are stored. */
export const finished = signal(0);

export const queue = new ImportQueue<File>(transport, (items) => {
  imports.value = items;
  finished.value = items.filter(({ state }) => state.kind === 'done').length;
});

// Makes the browser ask the user before it leaves the page, because files that are not sent yet would be lost.
addEventListener('beforeunload', (event) => {
  if (queue.isSending) event.preventDefault();
});

addUnfinished({
  says: () =>
    imports.value.length > 0 && queue.isSending
      ? 'Audio files are not sent yet. Signing out cancels them. Files that are being transcribed go on.'
      : null,
  ending: () => 'Cancel the files',
  end: async () => {
    queue.cancelUnsent();
    return null;
  },
});
