import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

const isSame = (before: object, next: object): boolean => {
  const keys = Object.keys(next);
  return (
    keys.length === Object.keys(before).length &&
    keys.every((key) => (before as Record<string, unknown>)[key] === (next as Record<string, unknown>)[key])
  );
};

/** Returns a component that is drawn again only if its properties changed. */
export const memo = <Props extends object>(
  draw: (props: Props) => ComponentChild,
  equal: (before: Props, next: Props) => boolean = isSame,
): FunctionComponent<Props> => {
  class Kept extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !equal(this.props, next);
    }
    override render(): ComponentChild {
      return draw(this.props);
    }
  }
  return (props: Props) => h(Kept as never, props as never);
};
