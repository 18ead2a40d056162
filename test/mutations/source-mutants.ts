/**
 * Mutants of a TypeScript source: each condition inverted or removed, each argument or property removed, each order
 * reversed.
 */
import ts from 'typescript';
import type { Mutant } from './mutant.js';
import { isSql, sqlMutants } from './sql-mutants.js';

type Change = readonly [node: ts.Node, replacement: string];

/** Properties that only describe and have no effect. */
const describing = new Set([
  'title',
  'description',
  'summary',
  'tag',
  'example',
  'meta',
  'why',
  'answerHeaders',
  'cause',
]);

const kinds = ts.SyntaxKind;

/**
 * Comparison operators with their opposites. For an order, also the operator that treats equal values differently.
 */
const comparisons: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [kinds.EqualsEqualsEqualsToken, ['!==']],
  [kinds.ExclamationEqualsEqualsToken, ['===']],
  [kinds.LessThanToken, ['<=', '>=']],
  [kinds.LessThanEqualsToken, ['<', '>']],
  [kinds.GreaterThanToken, ['>=', '<=']],
  [kinds.GreaterThanEqualsToken, ['>', '<']],
]);

const joining = new Set([
  kinds.AmpersandAmpersandToken,
  kinds.BarBarToken,
  kinds.QuestionQuestionToken,
] as const);

/** Methods whose call can be omitted, because they return the same type as their receiver. */
const omitted = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'flat']);
/** Methods with an opposite. */
const opposite: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);

const isCondition = (node: ts.Node): boolean =>
  ((ts.isIfStatement(node.parent) || ts.isWhileStatement(node.parent)) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node);

const changesOfBinary = function* (node: ts.BinaryExpression): Generator<Change> {
  const { left, right, operatorToken } = node;
  if (joining.has(operatorToken.kind as never)) {
    yield [node, left.getText()];
    yield [node, right.getText()];
  }
  // For a complete condition, the last operator is left out, because the condition is already replaced by true and by
  // false.
  const others = comparisons.get(operatorToken.kind) ?? [];
  for (const other of isCondition(node) ? others.slice(0, -1) : others) yield [operatorToken, other];
  if (operatorToken.kind === kinds.PlusToken) yield [operatorToken, '-'];
  if (operatorToken.kind === kinds.MinusToken) yield [operatorToken, '+'];
};

const changesOfCall = function* (node: ts.CallExpression): Generator<Change> {
  if (!ts.isPropertyAccessExpression(node.expression)) return;
  const { expression, name } = node.expression;
  if (omitted.has(name.text)) yield [node, expression.getText()];
  const other = opposite.get(name.text);
  if (other !== undefined) yield [name, other];
};

const nameOf = (node: ts.Node): string | undefined => {
  const { name } = node as { readonly name?: ts.Node };
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
};

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Yields the changes of one node. Inner nodes have their own changes. */
const changesOf = function* (node: ts.Node): Generator<Change> {
  if (ts.isExpression(node) && isCondition(node)) {
    if (!ts.isWhileStatement(node.parent)) yield [node, 'true'];
    yield [node, 'false'];
  }
  if (ts.isBinaryExpression(node)) yield* changesOfBinary(node);
  else if (ts.isCallExpression(node)) yield* changesOfCall(node);
  else if (ts.isPrefixUnaryExpression(node) && node.operator === kinds.ExclamationToken && !isCondition(node))
    yield [node, node.operand.getText()];
  else if (node.kind === kinds.TrueKeyword) yield [node, 'false'];
  else if (node.kind === kinds.FalseKeyword) yield [node, 'true'];
  else if (ts.isNumericLiteral(node)) yield [node, `(${node.getText()} + 1)`];
  else if (ts.isPropertyAssignment(node) && nameOf(node) === 'operationId' && isText(node.initializer))
    yield [node.initializer, `(${node.initializer.getText()} + 'Other')`];
  else if (ts.isObjectLiteralExpression(node))
    for (const property of node.properties)
      if (property.name || ts.isSpreadAssignment(property)) yield [property, ''];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 1)
    for (const element of node.elements) yield [element, ''];
};

/**
 * Checks whether a node is left unchanged, because it is a type, an import or export, or a property that only
 * describes.
 */
const isPassedOver = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  (ts.isObjectLiteralElementLike(node) && describing.has(nameOf(node) ?? ''));

/** Checks whether a name in a list of handlers refers to this node: a declaration, a tool, or the route of an operation. */
const isNamed = (node: ts.Node, names: ReadonlySet<string>): boolean => {
  if (ts.isConstructorDeclaration(node)) return names.has('constructor');
  if (
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isGetAccessorDeclaration(node)
  )
    if (names.has(nameOf(node) ?? (node.name as ts.Node).getText())) return true;
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (property) =>
        ts.isPropertyAssignment(property) &&
        ['name', 'operationId'].includes(nameOf(property) ?? '') &&
        isText(property.initializer) &&
        names.has(property.initializer.getText().slice(1, -1)),
    )
  );
};

/** Returns the end of a list element including its comma. */
const withComma = (source: string, end: number): number => {
  const comma = /^\s*,/.exec(source.slice(end));
  return comma ? end + comma[0].length : end;
};

export interface MutantOptions {
  /** Names to mutate. Default: everything. */
  readonly within?: readonly string[] | undefined;
  /** Properties to mutate. Default: every expression. */
  readonly only?: readonly string[] | undefined;
}

/**
 * Returns the mutants of a source, in source order.
 * @throws Error for a name in `within` that the source does not have.
 */
export const sourceMutants = (source: string, { within, only }: MutantOptions = {}): Mutant[] => {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  const mutants = new Map<string, Mutant>();
  const add = (start: number, end: number, replacement: string): void => {
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    mutants.set(`${start} ${end} ${replacement}`, { line, start, end, replacement });
  };
  const change = ([node, replacement]: Change): void => {
    const end = replacement === '' ? withComma(source, node.end) : node.end;
    add(node.getStart(), end, replacement);
  };
  const visit = (node: ts.Node, isInside: boolean, isChosen: boolean): void => {
    if (isPassedOver(node)) return;
    const inside = isInside || within === undefined || isNamed(node, new Set(within));
    const chosen = isChosen || only === undefined || only.includes(nameOf(node) ?? '');
    if (inside && chosen) {
      for (const one of changesOf(node)) if (!isPassedOver(one[0])) change(one);
      if (isText(node) && isSql(node.getText())) {
        const offset = node.getStart();
        for (const { start, end, replacement } of sqlMutants(node.getText()))
          add(offset + start, offset + end, replacement);
      }
    }
    ts.forEachChild(node, (child) => visit(child, inside, chosen));
  };
  for (const name of within ?? []) {
    const has = (node: ts.Node): boolean =>
      isNamed(node, new Set([name])) || (ts.forEachChild(node, (child) => has(child) || undefined) ?? false);
    if (!has(file)) throw new Error(`the source has no ${name}`);
  }
  visit(file, false, false);
  return [...mutants.values()].sort((one, other) => one.start - other.start || one.end - other.end);
};
