// Prints a sample of the prose of this tree for review: 60 exported docstrings, 40 error texts, 40 test names, 20 paragraphs of pages.
// The draw is deterministic: its seed is the first 8 hex digits of HEAD, or the argument (docs/style.md).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const seedText = process.argv[2] ?? git('rev-parse', 'HEAD').slice(0, 8)
if (!/^[0-9a-f]{8}$/.test(seedText)) throw new Error(`cannot draw a sample: seed ${seedText} is not 8 hex digits`)

/** Mulberry32: uniform numbers in [0, 1) from a seed of 32 bits. */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const draw = (items, count, random) => {
  const left = [...items]
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0],
  )
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim()
const plainComment = (comment) => oneLine(comment.slice(3, -2).replaceAll(/^\s*\*/gm, ''))
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** Visits the statements of a source file: its exported docstrings, and the texts of errors that it creates. */
function readSource(file, docstrings, errors) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const at = (node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  const visit = (node) => {
    if (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      const comment = ts.getLeadingCommentRanges(source.text, node.getFullStart())?.at(-1)
      const text = comment === undefined ? '' : source.text.slice(comment.pos, comment.end)
      if (text.startsWith('/**')) docstrings.push(`${at(node)}: ${plainComment(text)}`)
    }
    if (
      (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) ||
      (ts.isCallExpression(node) && /^(reject|usageError)$/.test(node.expression.getText()))
    )
      for (const argument of node.arguments ?? [])
        if (isText(argument) && /\s/.test(argument.getText()))
          errors.push(`${at(argument)}: ${oneLine(argument.getText().slice(1, -1))}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
}

function readTest(file, names) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node, subjects) => {
    const call = ts.isCallExpression(node) ? node : undefined
    const name = call?.arguments[0]
    const callee = call?.expression.getText() ?? ''
    if (name !== undefined && isText(name) && /^(describe|it)\b/.test(callee)) {
      const text = [...subjects, oneLine(name.getText().slice(1, -1))]
      if (callee.startsWith('it')) names.push(`${file}: ${text.join(' > ')}`)
      for (const argument of call.arguments.slice(1)) ts.forEachChild(argument, (child) => visit(child, text))
    } else ts.forEachChild(node, (child) => visit(child, subjects))
  }
  visit(source, [])
}

const paragraphsOf = (file) =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split(/\n{2,}/)
    .filter((text) => /^[A-Z*-]/.test(text) && text.split(/\s+/).length >= 12)
    .map((text) => `${file}: ${oneLine(text)}`)

const files = git('ls-files', 'src', 'test', 'docs', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md').split('\n')
const [docstrings, errors, names, paragraphs] = [[], [], [], []]
for (const file of files) {
  if (/^src\/.*\.tsx?$/.test(file)) readSource(file, docstrings, errors)
  else if (/^test\/.*\.test\.tsx?$/.test(file)) readTest(file, names)
  else if (file.endsWith('.md') && !file.startsWith('test/')) paragraphs.push(...paragraphsOf(file))
}

const random = generator(Number.parseInt(seedText, 16))
console.log(`seed ${seedText}`)
for (const [title, items, count] of [
  ['Docstrings', docstrings, 60],
  ['Errors', errors, 40],
  ['Test names', names, 40],
  ['Paragraphs', paragraphs, 20],
]) {
  console.log(`\n${title}: ${count} of ${items.length}`)
  for (const [index, text] of draw(items, count, random).entries())
    console.log(`${String(index + 1).padStart(2)}. ${text}`)
}
