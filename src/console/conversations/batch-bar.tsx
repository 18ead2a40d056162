import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { merge, takeListNotice } from './divisions.js';
import { type CommonChange, changeMany, type Folder } from './records.js';

const mostMerged = 10;
/** Maximum number of conversations in one request. */
const mostSelected = 100;

/**
 * The actions for all selected conversations: star, folder, merge, delete.
 * @param changed is called after each change
 */
export const BatchBar = ({
  ids,
  folders,
  changed,
}: {
  ids: readonly string[];
  folders: readonly Folder[];
  changed: () => void;
}) => {
  const { route } = useLocation();
  const isAsking = useSignal(false);
  const busy = useSignal(false);
  const result = useSignal(useMemo(takeListNotice, []));
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    busy.value = true;
    try {
      result.value = await work();
    } catch (error) {
      result.value = `${(error as Error).message}.`;
    }
    [busy.value, isAsking.value] = [false, false];
  };
  const change = (common: CommonChange): Promise<void> =>
    attempt(async () => {
      const left = await changeMany(ids, common);
      changed();
      return left === 0
        ? `${ids.length} changed.`
        : `${ids.length - left} changed. ${left} are gone or locked.`;
    });
  const mergeAll = (): Promise<void> =>
    attempt(async () => {
      route(await merge(ids));
      return '';
    });
  const isTooMany = ids.length > mostSelected;
  const disabled = busy.value || ids.length === 0 || isTooMany;
  return (
    <section class="batch" aria-label="Selected conversations">
      <p class="row">
        <span role="status">
          {ids.length} selected. {isTooMany && `Select at most ${mostSelected}. `}
          {!isTooMany && ids.length > mostMerged && `At most ${mostMerged} can be merged. `}
          {result.value}
        </span>
        <button
          type="button"
          class="plain"
          disabled={disabled}
          onClick={() => void change({ action: 'star', starred: true })}
        >
          Star
        </button>
        <label>
          Move to{' '}
          <select
            value=""
            disabled={disabled}
            onChange={({ currentTarget: field }) => {
              const { value } = field;
              field.value = '';
              if (value !== '') void change({ action: 'move', folder_id: value === 'none' ? null : value });
            }}
          >
            <option value="">a folder…</option>
            <option value="none">no folder</option>
            {folders.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="plain"
          disabled={disabled || ids.length < 2 || ids.length > mostMerged}
          onClick={() => void mergeAll()}
        >
          Merge
        </button>
        <button
          type="button"
          class="plain"
          disabled={disabled}
          onClick={() => {
            isAsking.value = true;
          }}
        >
          Delete
        </button>
      </p>
      {isAsking.value && (
        <section aria-label="Delete conversations" class="question">
          <p>
            Delete {ids.length} {ids.length === 1 ? 'conversation' : 'conversations'}? This cannot be undone.
          </p>
          <p class="row">
            <button type="button" disabled={disabled} onClick={() => void change({ action: 'delete' })}>
              Delete
            </button>
            <button
              type="button"
              class="plain"
              onClick={() => {
                isAsking.value = false;
              }}
            >
              Keep
            </button>
          </p>
        </section>
      )}
    </section>
  );
};
