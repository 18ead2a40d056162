import type { RecordDeclaration } from '../../client/records/index.js';
import type { Column } from '../output/index.js';

/** The columns of lists of a record. */
export const columnsOf = ({ fields, listed = [] }: RecordDeclaration): readonly Column[] =>
  listed.map((name) => {
    const { option = name, head = option, path = name, width, star } = fields[name]!.cli ?? {};
    return { path, head, width, star };
  });
