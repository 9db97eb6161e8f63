// Checks that code which every node must compute alike uses no clock, chance, locale, I/O or fractions (scripts/purity.rules.mjs).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { EXCEPT, GLOBALS, MATH, METHODS, MODULES, PURE, ROUNDING } from './purity.rules.mjs'
import { sourceFaults } from './source-faults.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const isOfMath = (node, names) =>
  ts.isPropertyAccessExpression(node) && node.expression.getText() === 'Math' && names.includes(node.name.text)

/** Whether an identifier is a value here, and no name of a member, a property or a type. */
function isValue(node) {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) return parent.name !== node
  return !(
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isImportSpecifier(parent)
  )
}

/** Whether a division is one of integers: of big integers, a power of two of literals, or rounded at once. */
function isWhole(node) {
  if (/\d+n\b|\bBigInt\b/.test(node.getText())) return true
  for (let above = node.parent; above !== undefined; above = above.parent) {
    if (ts.isCallExpression(above) && isOfMath(above.expression, ROUNDING)) return true
  }
  return false
}

function faultOf(node) {
  if (ts.isImportDeclaration(node)) {
    const from = node.moduleSpecifier.text
    return from.startsWith('node:') && !MODULES.includes(from) ? `imports ${from}` : undefined
  }
  if (ts.isIdentifier(node) && GLOBALS.includes(node.text) && isValue(node)) return `uses ${node.text}`
  if (ts.isPropertyAccessExpression(node)) {
    if (METHODS.includes(node.name.text)) return `calls ${node.name.text}`
    if (node.expression.getText() === 'Math' && !MATH.includes(node.name.text)) return `calls Math.${node.name.text}`
  }
  if (ts.isNumericLiteral(node) && !Number.isInteger(Number(node.text))) return `has the fraction ${node.text}`
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.SlashToken && !isWhole(node)) {
    return 'divides numbers without rounding'
  }
  return undefined
}

/** Faults of one source text, each with its line. */
export const faultsIn = (path, text) => sourceFaults(path, text, faultOf, ts.isTypeNode)

function sourcesIn(folder) {
  const [above, below] = folder.split('*/')
  if (below !== undefined) {
    return readdirSync(join(root, above)).flatMap((name) => {
      const part = `${above}${name}/${below}`
      const file = `${part}.ts`
      if (existsSync(join(root, part))) return sourcesIn(part)
      return existsSync(join(root, file)) ? [file] : []
    })
  }
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

/** Faults of the whole tree: what is impure, and exceptions that nothing needs any more. */
export function check() {
  const excepted = new Set(Object.keys(EXCEPT))
  const faults = []
  for (const path of PURE.flatMap(sourcesIn)) {
    const found = faultsIn(path, readFileSync(join(root, path), 'utf8'))
    if (!excepted.has(path)) faults.push(...found)
    else if (found.length > 0) excepted.delete(path)
  }
  for (const path of excepted) faults.push(`${path} needs no exception any more: scripts/purity.rules.mjs`)
  return faults
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = check()
  for (const fault of faults) console.error(`purity: ${fault}`)
  if (faults.length > 0) process.exit(1)
  console.log(`purity: ${PURE.length} folders compute the same on every node`)
}
