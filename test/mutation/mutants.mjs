/** Owns the mutants: what Stryker's instrumenter makes of the sources of a folder, a draw of them, and the sources that carry the drawn ones. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './vitest.mjs'

/** The library lies in test/heavy; its parts are named because a mutant is chosen between finding and placing it. */
async function library() {
  const main = createRequire(join(ROOT, 'test', 'heavy', 'package.json')).resolve('@stryker-mutator/instrumenter')
  const part = (path) => import(pathToFileURL(join(dirname(main), path)).href)
  const [{ Instrumenter }, { createParser }, { transform }, { print }, { MutantCollector }] = await Promise.all([
    part('instrumenter.js'),
    part('parsers/index.js'),
    part('transformers/index.js'),
    part('printers/index.js'),
    part('transformers/mutant-collector.js'),
  ])
  return { Instrumenter, createParser, transform, print, MutantCollector }
}

const silent = new Proxy({}, { get: () => () => false })

/** Sources of a folder, by their paths in the repository. */
export const filesBelow = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort()
    .map((path) => `${folder}/${path}`)

/** Sources of a folder or file, or of several. */
function sourcesOf(paths) {
  return [paths]
    .flat()
    .flatMap((path) => (path.endsWith('.ts') ? [path] : filesBelow(path)))
    .map((name) => ({ name, mutate: true, content: readFileSync(join(ROOT, name), 'utf8') }))
}

/** A declaration of a module is made while it is imported: none of its mutants can be switched on afterwards. */
const isStatic = (path) =>
  path.findParent((parent) => parent.isFunction() || parent.isClassProperty() || parent.isClassPrivateProperty()) ===
  null

/**
 * Finds the mutants of files and places those that `choose` takes.
 *
 * @param choose of a mutant found: its file, line, mutator, texts, and whether it is static
 */
async function instrument(files, choose) {
  const { Instrumenter, createParser, transform, print, MutantCollector } = await library()
  const found = []
  const transformChosen = (ast, collector, context) => {
    let path
    const collect = MutantCollector.prototype.collect
    collector.collect = function (fileName, original, mutable, offset) {
      const mutant = collect.call(this, fileName, original, mutable, offset)
      const { start, end } = original.loc
      const one = {
        id: mutant.id,
        file: fileName,
        line: start.line,
        column: start.column + 1,
        mutator: mutant.mutatorName,
        before: ast.rawContent.slice(original.start, original.end),
        after: mutant.replacementCode,
        static: isStatic(path),
        end: `${end.line}:${end.column}`,
      }
      found.push(one)
      if (!choose(one)) mutant.ignoreReason = 'not drawn'
      return mutant
    }
    // It is asked for each node before its mutants are made.
    const placeKeeper = {
      shouldIgnore(entered) {
        path = entered
      },
    }
    transform(ast, collector, { ...context, options: { ...context.options, ignorers: [placeKeeper] } })
  }
  const instrumenter = new Instrumenter(silent, createParser, print, transformChosen)
  const { files: instrumented } = await instrumenter.instrument(files, {
    plugins: [],
    excludedMutations: [],
    ignorers: [],
  })
  const chosen = new Set(found.filter(choose).map(({ file }) => file))
  const carriers = instrumented.filter(({ name }) => chosen.has(name))
  return { found, sources: new Map(carriers.map(({ name, content }) => [join(ROOT, name), content])) }
}

/** Place in a draw: by the hash of the seed and of what the mutant is, so that one seed draws the same from the same sources. */
const placeOf = (seed, { file, line, column, mutator, after, end }) =>
  createHash('sha256').update([seed, file, line, column, end, mutator, after].join('\0')).digest('hex')

/** True if two are the same change of the same text, wherever its line moved to. */
const isSame = (a, b) =>
  a.file === b.file && a.column === b.column && a.mutator === b.mutator && a.before === b.before && a.after === b.after

/** Mutants and the sources that carry them, switched off. */
async function placed(files, chosen) {
  const ids = new Set(chosen.map(({ id }) => id))
  const { sources } = await instrument(files, ({ id }) => ids.has(id))
  return { mutants: chosen, sources }
}

/**
 * Draws mutants that are not static.
 *
 * @param paths a folder or file, or several of them
 * @param from how many mutants to pass over: those of earlier draws by this seed
 * @returns the drawn ones, the sources that carry them, how many there were to draw from, and how many are static
 */
export async function draw(paths, seed, count, from = 0) {
  const files = sourcesOf(paths)
  const { found } = await instrument(files, () => false)
  const free = found.filter((one) => !one.static)
  const places = new Map(free.map((one) => [one, placeOf(seed, one)]))
  const inOrder = free.toSorted((a, b) => (places.get(a) < places.get(b) ? -1 : 1))
  return {
    ...(await placed(files, inOrder.slice(from, from + count))),
    all: free.length,
    statics: found.length - free.length,
  }
}

/** Finds mutants of an earlier draw again, each as near to its old line as it is; those whose text is gone are not there. */
export async function findAgain(folder, earlier) {
  const files = sourcesOf(folder)
  const { found } = await instrument(files, () => false)
  const again = new Set()
  for (const one of earlier) {
    const same = found.filter((other) => isSame(one, other) && !again.has(other))
    const [nearest] = same.sort((a, b) => Math.abs(a.line - one.line) - Math.abs(b.line - one.line))
    if (nearest !== undefined) again.add(nearest)
  }
  return await placed(files, [...again])
}
