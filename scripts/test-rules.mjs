// Checks that tests use no chance, port, time or folder that makes them fail although nothing is wrong, and that each test that is skipped
// says why (scripts/test-rules.rules.mjs).
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { POOLS, projectOf } from '../test/suites.mjs'
import { sourceFaults } from './source-faults.mjs'
import { DURATION, EXCEPT, HOOKS, OUTSIDE, SCHEDULERS, SKIPS, STARTERS, TESTS } from './test-rules.rules.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const UNEXPLAINED = 'skips a test without a reason: use needs(reason), or skip(reason) of the test context'

const isNumber = (node) => node !== undefined && ts.isNumericLiteral(node)
const isClock = (node) => /\b(performance|Date)\.now\(\)/.test(node.getText())
/** Name of what is called: of a method its last part. */
const nameOf = ({ expression }) => (ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.text)
/** Name of a function of the test runner, also of `it.each(...)` and `test.runIf(...)`. */
const runnerName = (call) => /^\w+/.exec(call.expression.getText())?.[0]
const propertyOf = (node, name) =>
  node !== undefined && ts.isObjectLiteralExpression(node)
    ? node.properties.find((one) => one.name?.getText() === name)
    : undefined
const hasFunction = (nodes) => nodes.some((one) => ts.isArrowFunction(one) || ts.isFunctionExpression(one))

/** Name of the first object of a chain such as `it.skipIf(...).each`. */
const rootOf = (node) =>
  ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) ? rootOf(node.expression) : node.text

/** Names that `vi.useFakeTimers` is told to fake; undefined if it fakes what the runner chooses. */
function fakedBy(call) {
  const list = propertyOf(call.arguments[0], 'toFake')?.initializer
  return list !== undefined && ts.isArrayLiteralExpression(list) ? list.elements.map(({ text }) => text) : undefined
}

function faultOfCall(call, path) {
  const name = nameOf(call)
  const [first] = call.arguments
  const last = call.arguments.at(-1)
  if (name === 'listen') {
    const port = isNumber(first) ? first : propertyOf(first, 'port')?.initializer
    if (isNumber(port) && port.text !== '0') return 'listens on a port of its own choice: use freePorts or port 0'
  }
  if (call.expression.getText() === 'process.kill' && /\?\? *-?0\b/.test(first?.getText() ?? '')) {
    return 'may signal its own process group: throw if there is no process id'
  }
  if (name === 'randomInt') return 'calls randomInt: use freePorts, or a generator with a seed'
  if (name === 'expect' && first !== undefined) {
    if (ts.isBinaryExpression(first) && first.operatorToken.kind === ts.SyntaxKind.MinusToken && isClock(first)) {
      return 'expects something of a measured time'
    }
    const { parent } = call
    const isLimited = ts.isPropertyAccessExpression(parent) && /^toBe(Less|Greater)Than/.test(parent.name.text)
    if (isLimited && DURATION.test(first.getText().split('.').at(-1) ?? '')) {
      return 'expects something of a measured time'
    }
  }
  if (name === 'setTimeout' && ts.isArrowFunction(call.parent) && ts.isNewExpression(call.parent.parent)) {
    return 'waits with a timer of its own: use until, or pause where nothing may happen'
  }
  if (name === 'timeout' && call.expression.getText() === 'AbortSignal.timeout' && isNumber(first)) {
    return 'gives up after a time of its own: use PATIENCE_MS'
  }
  if ((name === 'waitFor' || name === 'waitUntil') && call.expression.getText() === `vi.${name}`) {
    const timeout = propertyOf(call.arguments[1], 'timeout')?.initializer
    if (timeout === undefined || isNumber(timeout)) return `waits for less than minutes: give vi.${name} PATIENCE_MS`
  }
  if (name === 'useFakeTimers' && POOLS[projectOf(path)] !== 'threads') {
    const faked = fakedBy(call)
    if (faked === undefined || faked.some((one) => SCHEDULERS.includes(one))) {
      return 'fakes what its worker process runs on: list timers and clocks alone in toFake'
    }
  }
  if (TESTS.includes(runnerName(call)) && call.arguments.some((one) => SKIPS.some((skip) => propertyOf(one, skip)))) {
    return UNEXPLAINED
  }
  // Of the context of a test, as in `async ({ skip }) => skip(reason)`.
  if (/^(\w+\.)?skip$/.test(call.expression.getText()) && !TESTS.includes(runnerName(call)) && first === undefined) {
    return UNEXPLAINED
  }
  if (HOOKS.includes(runnerName(call)) && hasFunction(call.arguments)) {
    if (isNumber(last) || call.arguments.some((one) => isNumber(propertyOf(one, 'timeout')?.initializer))) {
      return 'ends after a time of its own: leave it out, or add to TEST_MS'
    }
  }
  if (name === 'setConfig' && isNumber(propertyOf(first, 'testTimeout')?.initializer)) {
    return 'ends after a time of its own: leave it out, or add to TEST_MS'
  }
  if (STARTERS.includes(name) && /\bEXECUTABLE\b|\brun\.js\b/.test(call.arguments[1]?.getText() ?? '')) {
    if (propertyOf(last, 'cwd') === undefined) return 'starts the program in this folder: use startCauseway'
  }
  return undefined
}

function faultOf(node, path) {
  if (ts.isPropertyAccessExpression(node) && SKIPS.includes(node.name.text) && TESTS.includes(rootOf(node))) {
    return UNEXPLAINED
  }
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') {
    return 'uses Math.random: use a generator with a seed'
  }
  return ts.isCallExpression(node) ? faultOfCall(node, path) : undefined
}

/** Faults of one source text, each with its line. */
export const faultsIn = (path, text) => sourceFaults(path, text, (node) => faultOf(node, path))

const sources = () =>
  readdirSync(join(root, 'test'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !OUTSIDE.some((folder) => path.startsWith(folder)))

/** Faults of all tests, and exceptions that nothing needs any more. */
export function check() {
  const excepted = new Set(Object.keys(EXCEPT))
  const faults = []
  for (const path of sources()) {
    const found = faultsIn(path, readFileSync(join(root, path), 'utf8'))
    if (!Object.hasOwn(EXCEPT, path)) faults.push(...found)
    else if (found.length > 0) excepted.delete(path)
  }
  for (const path of excepted) faults.push(`${path} needs no exception any more: scripts/test-rules.rules.mjs`)
  return faults
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = check()
  for (const fault of faults) console.error(`tests: ${fault}`)
  if (faults.length > 0) process.exit(1)
  console.log('tests: none of them fails by chance in a known way')
}
