#!/usr/bin/env node
// Counts what the compiler does not check in src and commands: casts, `any`, parameters of type `unknown`, and records that
// are built as `{ kind: definition.kind, value }`. Prints JSON; `--list` prints the places too.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const counts = { casts: 0, any: 0, unknownParameters: 0, untypedRecords: 0 }
const places = []

/** Source files below a folder. */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

const isConst = (node) => ts.isTypeReferenceNode(node.type) && node.type.getText() === 'const'

/** True for `{ kind: x.kind, value }` and `{ kind: x.kind, value: ... }`. */
function isUntypedRecord(node) {
  if (!ts.isObjectLiteralExpression(node) || node.properties.length !== 2) return false
  const [kind, value] = node.properties
  return (
    ts.isPropertyAssignment(kind) &&
    kind.name.getText() === 'kind' &&
    ts.isPropertyAccessExpression(kind.initializer) &&
    kind.initializer.name.text === 'kind' &&
    value.name?.getText() === 'value'
  )
}

/** The count that a node belongs to, if any. */
function countOf(node) {
  if (ts.isAsExpression(node) && !isConst(node)) return 'casts'
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any'
  if (ts.isParameter(node) && node.type?.kind === ts.SyntaxKind.UnknownKeyword) return 'unknownParameters'
  return isUntypedRecord(node) ? 'untypedRecords' : undefined
}

for (const path of ['src', 'commands'].flatMap(filesIn)) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node) => {
    const count = countOf(node)
    if (count !== undefined) {
      counts[count] += 1
      places.push(`${count} ${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

if (process.argv.includes('--list')) for (const place of places.sort()) console.log(place)
console.log(JSON.stringify(counts))
