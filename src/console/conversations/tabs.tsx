import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Shows the content of one of several tabs. The arrow keys move between the tabs. */
export const Tabs = ({ label, first, tabs }: { label: string; first: string; tabs: readonly Tab[] }) => {
  const open = useSignal(first);
  const shown = tabs.find(({ id }) => id === open.value) ?? tabs[0]!;
  const pressed = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(shown) + step + tabs.length) % tabs.length]!;
    open.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" onKeyDown={pressed}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            class="plain"
            id={`tab-${id}`}
            aria-selected={id === shown.id}
            aria-controls={`panel-${id}`}
            tabIndex={id === shown.id ? 0 : -1}
            onClick={() => {
              open.value = id;
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ id, content }) => (
        <div
          key={id}
          role="tabpanel"
          id={`panel-${id}`}
          aria-labelledby={`tab-${id}`}
          hidden={id !== shown.id}
        >
          {id === shown.id && content()}
        </div>
      ))}
    </>
  );
};
