// Walks the syntax of a source text for the checks of `npm run lint`.
import ts from 'typescript'

/**
 * Faults of one source text: `path:line what`.
 *
 * @param faultOf says what is wrong with a node; undefined: nothing
 * @param isLeftOut true for a node that is not looked into
 */
export function sourceFaults(path, text, faultOf, isLeftOut = () => false) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const faults = []
  const visit = (node) => {
    if (isLeftOut(node)) return
    const fault = faultOf(node)
    if (fault !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      faults.push(`${path}:${line + 1} ${fault}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return faults
}
