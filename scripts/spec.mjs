// Checks the specification of consensus (docs/spec), and that the code follows it.
//   npm run spec                          types, invariants, witnesses, mutants; the traces of heights are followed by the code
//   npm run spec -- --traces 5000         that many traces of each instance, instead of 600 and 1,000
//   npm run spec -- --only chain          one file, one instance such as `n4_crashes`, or `mutants`
//   npm run spec -- --seed 5000           other traces
//   npm run spec -- --write FOLDER        also keep the traces of heights (ITF), for `causeway sim follow`
//   npm run spec -- --report FILE         also write the number of passed checks and the failures to a file, as JSON
// Exits 1 if anything differs from what the table of instances below expects.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { follow, readTrace } from '../dist/src/simulation/specification/index.js'
import { installSpecification, SPECIFICATION_FOLDER } from './heavy.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const QUINT = join(SPECIFICATION_FOLDER, 'node_modules', '@informalsystems', 'quint', 'dist', 'src', 'cli.js')
const MUTANTS = join(root, 'test', 'simulation', 'specification-mutants.json')

const FILES = {
  height: {
    invariants: [
      'inv1',
      'inv2',
      'inv3',
      'inv4',
      'inv5',
      'inv6',
      'inv7',
      'inv8',
      'inv9',
      'inv12',
      'lock',
      'recoverable',
    ],
    steps: 100,
    traces: 600,
    /** What the traces of an instance have to reach, each in at least 2 % of them. */
    instances: {
      n4_faulty_first: ['decisionInLaterView', 'reproposal', 'forgedProposal'],
      n4_faulty_second: ['decisionInLaterView', 'reproposal', 'forgedProposal'],
      n4_crashes: ['decisionInLaterView', 'reproposal', 'restartBetweenRecordAndSend'],
      n4_faulty_and_crashes: ['decisionInLaterView', 'reproposal', 'restartBetweenRecordAndSend', 'forgedProposal'],
    },
  },
  chain: {
    invariants: ['inv1', 'inv3', 'inv11', 'inv12', 'remembered'],
    steps: 120,
    traces: 1_000,
    instances: {
      c4_faulty: ['rosterChanged', 'votesAfterLoss', 'decisionBySync', 'demotion', 'differentVotes'],
      c4_losses: ['rosterChanged', 'votesAfterLoss', 'decisionBySync', 'demotion', 'differentVotes'],
      c4_loss_beside_faulty: ['votesAfterLoss', 'decisionBySync', 'demotion'],
    },
  },
}
const WITNESSED_SHARE_MIN = 0.02
/** Traces of one run of the checker: it keeps those that it writes in memory. */
const BATCH = 100
const { values } = parseArgs({
  options: {
    traces: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'string' },
    report: { type: 'string' },
  },
})
const countOf = (name, fallback) => {
  const count = Number(values[name] ?? fallback)
  if (Number.isSafeInteger(count) && count >= 0) return count
  console.error(`cannot read --${name}: "${values[name]}" is not a count. Try --${name} 2000.`)
  return process.exit(2)
}
const wanted = countOf('traces', 0)
/** First seed of each instance, so that a run can be repeated. */
const SEED = countOf('seed', 1)

/** Runs the checker; resolves to its exit code and what it printed. */
const quint = (...words) =>
  new Promise((resolve) => {
    execFile(process.execPath, [QUINT, ...words], { cwd: root, maxBuffer: 64 << 20 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? 1), text: out + err }),
    )
  })

const failures = []
const fail = (text) => {
  failures.push(text)
  console.log(`FAILED: ${text}`)
}

/** Number of checks without a failure: types of a file, instances, mutants. */
let passed = 0
/** Run one check, and count it if it adds no failure. */
async function counted(check) {
  const before = failures.length
  await check()
  if (failures.length === before) passed += 1
}

/** Runs `samples` traces of an instance from a seed. Returns the violated invariants and how many traces met each witness. */
async function sample(file, instance, { invariants, steps }, { samples, seed, witnesses = [], folder }) {
  const words = ['run', file, '--main', instance, '--backend=typescript', '--verbosity=1']
  words.push(`--max-samples=${samples}`, `--max-steps=${steps}`, `--seed=${seed}`, '--invariants', ...invariants)
  if (witnesses.length > 0) words.push('--witnesses', ...witnesses)
  if (folder !== undefined) words.push('--mbt', `--n-traces=${samples}`, `--out-itf=${join(folder, '{seq}.itf.json')}`)
  const { text } = await quint(...words)
  const isClean = text.includes('[ok] No violation found')
  if (!isClean && !text.includes('[violation]')) throw new Error(`the checker failed on ${instance}:\n${text}`)
  const broken = isClean ? [] : invariants.filter((name) => new RegExp(`^\\s*\\W*\\s*${name}\\s*$`, 'm').test(text))
  const met = witnesses.map((name) => Number(new RegExp(`^${name} was witnessed in (\\d+)`, 'm').exec(text)?.[1] ?? 0))
  return { isClean, broken, met }
}

/** Follows every trace of a folder with the code. Returns the first difference of each, undefined for none. */
const followAll = (folder) =>
  readdirSync(folder).map((name) => follow(readTrace(readFileSync(join(folder, name), 'utf8'))))

/** Keeps the traces of a folder, if asked to. */
function keepTraces(folder, instance) {
  if (values.write === undefined) return
  mkdirSync(values.write, { recursive: true })
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(values.write, `${instance}-${name}`))
}

/** Fails for each difference between the traces of a folder and the code. Returns the number of traces. */
function checkFollowed(folder, instance) {
  keepTraces(folder, instance)
  const results = followAll(folder)
  for (const difference of results) {
    if (difference === undefined) continue
    const { step, action, member, expected, actual } = difference
    fail(`${instance}: the code differs after step ${step} (${action}) at ${member}
  specification: ${expected}
  code:          ${actual}`)
  }
  return results.length
}

async function checkInstance(file, instance, witnesses, of, isFollowed) {
  const startedMs = performance.now()
  const total = wanted || of.traces
  const counts = witnesses.map(() => 0)
  let followed = 0
  for (let done = 0; done < total; done += BATCH) {
    const folder = isFollowed ? mkdtempSync(join(tmpdir(), 'causeway-spec-')) : undefined
    try {
      const samples = Math.min(BATCH, total - done)
      const result = await sample(file, instance, of, { samples, seed: SEED + done, witnesses, folder })
      if (!result.isClean) fail(`${instance}: ${result.broken.join(', ')} with seed ${SEED + done}`)
      for (const [at, count] of result.met.entries()) counts[at] += count
      if (folder !== undefined && result.isClean) followed += checkFollowed(folder, instance)
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    }
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
  const met = witnesses.map((name, at) => `${name} ${((100 * counts[at]) / total).toFixed(1)} %`)
  console.log(
    `${instance}: ${total} traces of ${of.steps} steps, ${followed} followed by the code, ${seconds} s; ${met.join(', ')}`,
  )
  for (const [at, name] of witnesses.entries()) {
    if (counts[at] < total * WITNESSED_SHARE_MIN) fail(`${instance}: ${name} in ${counts[at]} of ${total} traces`)
  }
}

/** Writes a wrong variant to a folder. Returns the path of the file. */
function writeMutant({ name, file, patches }, folder) {
  let text = readFileSync(join(root, 'docs', 'spec', `${file}.qnt`), 'utf8')
  for (const { find, by } of patches) {
    if (text.split(find).length !== 2) throw new Error(`mutant "${name}": its text is not in ${file}.qnt exactly once`)
    text = text.replace(find, () => by)
  }
  const path = join(folder, `${file}.qnt`)
  writeFileSync(path, text)
  return path
}

/**
 * Runs a wrong variant. Returns what finds it, and what has to: one of the invariants `breaks`, or a difference between its traces and
 * the code after one of the actions `differsAt`.
 */
async function findersOf({ file, instance, breaks, differsAt, traces }, path, folder) {
  const run = { samples: traces, seed: SEED }
  if (differsAt === undefined)
    return { found: (await sample(path, instance, FILES[file], run)).broken, expected: breaks }
  await sample(path, instance, { ...FILES[file], invariants: ['true'] }, { ...run, folder })
  const found = followAll(folder).flatMap((difference) => (difference === undefined ? [] : [difference.action]))
  return { found: [...new Set(found)], expected: differsAt }
}

/** Checks that a wrong variant of the specification is found by what is named for it. */
async function checkMutant(mutant) {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-spec-'))
  try {
    const traces = join(folder, 'traces')
    mkdirSync(traces)
    const { found, expected } = await findersOf(mutant, writeMutant(mutant, folder), traces)
    const isFound = found.some((one) => expected.includes(one))
    const way = mutant.differsAt === undefined ? 'breaks' : 'the code differs after'
    console.log(`mutant "${mutant.name}": ${isFound ? `${way} ${found.join(', ')}` : 'NOT FOUND'}`)
    if (!isFound)
      fail(`mutant "${mutant.name}": ${way} ${found.join(', ') || 'nothing'}, expected ${expected.join(' or ')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

installSpecification()
for (const [name, of] of Object.entries(FILES)) {
  const chosen = Object.entries(of.instances).filter(([instance]) => [undefined, name, instance].includes(values.only))
  if (chosen.length === 0) continue
  const file = join('docs', 'spec', `${name}.qnt`)
  const { code, text } = await quint('typecheck', file)
  if (code !== 0) {
    fail(`${file} does not type-check:\n${text}`)
    continue
  }
  passed += 1
  for (const [instance, witnesses] of chosen)
    await counted(() => checkInstance(file, instance, witnesses, of, name === 'height'))
}
if (values.only === undefined || values.only === 'mutants')
  for (const mutant of JSON.parse(readFileSync(MUTANTS, 'utf8'))) await counted(() => checkMutant(mutant))
if (values.report !== undefined)
  writeFileSync(values.report, `${JSON.stringify({ passed, failed: failures, skipped: [] }, null, 2)}\n`)
console.log(failures.length === 0 ? 'the specification holds' : `${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
