import { Component, type ComponentChildren, type FunctionComponent } from 'preact';
import { Heading, Problem, ProblemNote, Shown, useLoaded } from '../shared/index.js';

interface BoundaryProps {
  /** Path of the page. After a fault, the page is shown again when the path changes. */
  readonly path: string;
  readonly children: ComponentChildren;
}

/** Shows a note instead of a page that has failed. The frame around the page stays. */
export class Boundary extends Component<BoundaryProps, { readonly failedAt: string | null }> {
  override state = { failedAt: null };
  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.path });
  }
  override render() {
    const { path, children } = this.props;
    if (this.state.failedAt !== path) return children;
    return (
      <>
        <Heading>This page failed</Heading>
        <ProblemNote
          problem={new Problem(0, 'A fault of this page stopped it')}
          retry={() => this.setState({ failedAt: null })}
        />
      </>
    );
  }
}

/**
 * Returns a page whose code is loaded when the user opens it. If the loading fails, the page shows the error.
 * @param load imports the module
 * @param of returns the page of the module
 */
export const laterPage = <Module,>(
  title: string,
  load: () => Promise<Module>,
  of: (module: Module) => FunctionComponent,
): FunctionComponent => {
  let known: Module | null = null;
  const read = async (): Promise<Module> => {
    try {
      known = await load();
      return known;
    } catch {
      throw new Problem(0, 'The code of this page could not be loaded', null, null, 'Load the page again.');
    }
  };
  return () => {
    const loaded = useLoaded(title, read);
    const module = known ?? loaded.value;
    if (module !== null) {
      const Page = of(module);
      return <Page />;
    }
    return (
      <>
        <Heading>{title}</Heading>
        <Shown loaded={loaded}>{() => null}</Shown>
      </>
    );
  };
};
