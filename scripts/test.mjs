// The suites of the repository.
//   npm test                               builds, checks and runs the short suite
//   npm run test:all                       the same with all tests, all named mutants and other versions of Node
//   npm run test:all -- --shard 2/3        a third of the test files and mutants
//   npm run test:all -- --only process     one part (PARTS), or the test files whose path contains a text
// The last line is `N passed, N failed`. The whole result is written to coverage/test-results.json.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { FOLDERS } from '../test/suites.mjs'
import { processorSeconds } from './processor-time.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const RESULTS = join(root, 'coverage', 'test-results.json')
const RUNNER_REPORT = join(root, 'coverage', 'runner-report.json')
const MUTANTS_REPORT = join(root, 'coverage', 'named-mutants.json')
const SPEC_REPORT = join(root, 'coverage', 'spec.json')
const RUNTIMES_REPORT = join(root, 'coverage', 'runtimes.json')
/** Slowest files that are listed. */
const SLOWEST = 30

const PROJECTS = Object.keys(FOLDERS)
const PARTS = ['checks', ...PROJECTS, 'mutants', 'spec', 'runtimes']

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, shard: { type: 'string' }, only: { type: 'string' } },
})
const suite = values.all ? 'all' : 'short'
if (values.shard !== undefined && !/^[1-9]\d*\/[1-9]\d*$/.test(values.shard)) {
  console.error('cannot read --shard: it is not of the form 2/3. Try --shard 2/3.')
  process.exit(2)
}
/** True if a part is to run. A text that names no part selects test files. */
const isWanted = (part) =>
  values.only === undefined || values.only === part || (PROJECTS.includes(part) && !PARTS.includes(values.only))

const startedMs = performance.now()
const result = { suite, passed: 0, failed: 0, failures: [], skipped: [], files: [], projects: [] }

/** Runs a program of the repository and passes on what it prints; resolves to its exit code. */
function run(program, words, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
const node = (...words) => run(process.execPath, words)

/** Runs a check, which counts only if it fails. */
async function check(name, work) {
  if ((await work) !== 0) fail(name)
}
function fail(name) {
  result.failed += 1
  result.failures.push(name)
}

/** Reads the report that a part wrote; undefined if it wrote none. */
function reportAt(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function checks() {
  await check('build', node('scripts/build.mjs', '--if-stale'))
  await Promise.all([
    check('lint', run('npm', ['run', '--silent', 'lint'])),
    check('types', run('npm', ['run', '--silent', 'typecheck'])),
  ])
  await check('manifest', node('scripts/manifest.mjs', '--check'))
}

async function tests() {
  const projects = PROJECTS.filter(isWanted)
  if (projects.length === 0) return
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...projects.map((name) => `--project=${name}`)]
  if (values.shard !== undefined) words.push(`--shard=${values.shard}`)
  if (values.only !== undefined && !PARTS.includes(values.only)) words.push(values.only)
  rmSync(RUNNER_REPORT, { force: true })
  const code = await run(process.execPath, words, { CAUSEWAY_SUITE: suite, CAUSEWAY_TEST_REPORT: RUNNER_REPORT })
  const report = reportAt(RUNNER_REPORT)
  if (report === undefined) return fail('the test runner wrote no report')
  result.projects = report.projects
  result.files = report.files
  for (const { file, passed, failed, skipped } of report.files) {
    result.passed += passed
    result.failed += failed
    if (failed > 0) result.failures.push(file)
    result.skipped.push(...skipped.map((one) => ({ file, ...one })))
  }
  for (let left = report.unhandled; left > 0; left -= 1) fail('an error outside of any test')
  if (code !== 0 && result.failed === 0) fail(`the test runner ended with code ${code}`)
}

/** Runs a script that reports `{ passed, failed: names, skipped: [{ name, reason }] }` to a file. */
async function scripted(name, path, ...words) {
  rmSync(path, { force: true })
  const code = await node(...words, '--report', path)
  const report = reportAt(path)
  if (report === undefined) return fail(`${name} wrote no report`)
  result.passed += report.passed
  for (const failure of report.failed) fail(`${name}: ${failure}`)
  result.skipped.push(...report.skipped.map((one) => ({ file: name, ...one })))
  if (code !== 0 && report.failed.length === 0) fail(`${name} ended with code ${code}`)
}

function print() {
  if (suite === 'all' && result.files.length > 0) {
    console.log(`\nThe ${SLOWEST} slowest files:\n   wall s     cpu s  file`)
    const slowest = result.files.toSorted((a, b) => b.wallSeconds - a.wallSeconds).slice(0, SLOWEST)
    for (const { file, wallSeconds, cpuSeconds } of slowest)
      console.log(`${wallSeconds.toFixed(1).padStart(9)} ${cpuSeconds.toFixed(1).padStart(9)}  ${file}`)
  }
  if (result.projects.length > 0) console.log('\nProcessor time by project, in seconds:')
  for (const { name, cpuSeconds, budgetSeconds } of result.projects) {
    const over = values.shard === undefined && cpuSeconds > budgetSeconds ? ', OVER ITS BUDGET' : ''
    console.log(`${name.padStart(9)}: ${cpuSeconds.toFixed(0)} of ${budgetSeconds}${over}`)
  }
  if (result.skipped.length > 0) console.log('\nSkipped:')
  for (const reason of new Set(result.skipped.map((one) => one.reason))) {
    console.log(`  ${reason}:`)
    for (const { file, name } of result.skipped.filter((one) => one.reason === reason))
      console.log(`    ${file}: ${name}`)
  }
  if (result.failures.length > 0) console.log(`\nFailed:\n${result.failures.map((name) => `  ${name}`).join('\n')}`)
  const wall = (performance.now() - startedMs) / 1_000
  console.log(`\n${wall.toFixed(0)} s, ${processorSeconds().toFixed(0)} s of processor time`)
  console.log(`${result.passed} passed, ${result.failed} failed`)
}

mkdirSync(dirname(RESULTS), { recursive: true })
rmSync(RESULTS, { force: true })
if (isWanted('checks')) await checks()
else await check('build', node('scripts/build.mjs', '--if-stale'))
// A tree that does not compile runs no test.
if (!result.failures.includes('build')) {
  await check('test/heavy', node('scripts/heavy.mjs'))
  await tests()
  const shard = values.shard === undefined ? [] : ['--shard', values.shard]
  if (isWanted('mutants'))
    await scripted(
      'named mutants',
      MUTANTS_REPORT,
      'scripts/named-mutants.mjs',
      ...(values.all ? [] : ['--short']),
      ...shard,
    )
  // One shard of several runs it.
  if (suite === 'all' && isWanted('spec') && /^1\/|^$/.test(values.shard ?? ''))
    await scripted('spec', SPEC_REPORT, 'scripts/spec.mjs')
  if (suite === 'all' && isWanted('runtimes')) await scripted('runtimes', RUNTIMES_REPORT, 'scripts/runtimes.mjs')
}
writeFileSync(RESULTS, `${JSON.stringify(result, null, 2)}\n`)
print()
process.exitCode = result.failed > 0 ? 1 : 0
