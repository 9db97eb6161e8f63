// Mutation testing: how many wrong variants of the sources does the suite catch?
// `npm run mutation` does it all; `npm run mutation -- --folder consensus --seed 7 --count 300` draws 300 mutants of one
// folder by a seed; `npm run mutation -- --named` runs the named ones alone. What survives is printed and written to
// coverage/mutation-<folder>.json; `--again` takes those instead of a draw. `npm run mutation -- --short` asks whether the short suite
// kills what the whole suite kills. docs/reference/mutation.md has the last scores.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COUNTS, Hunt } from '../test/mutation/hunt.mjs'
import { draw, findAgain } from '../test/mutation/mutants.mjs'
import { NAMED, runNamed } from '../test/mutation/named.mjs'
import { huntShort } from '../test/mutation/short.mjs'
import { ROOT } from '../test/mutation/vitest.mjs'
import { installHeavy } from './heavy.mjs'

const node = (...names) => names.map((name) => `test/unit/node/${name}.test.ts`)
const simulation = (...names) => names.map((name) => `test/simulation/${name}.test.ts`)
const FORGED = 'test/byzantine/forged-blocks.test.ts'
const LEDGER = node('ledger', 'overfull-blocks', 'divergence', 'dry-run', 'view-passed', 'passed-over', 'evidence-pool')

/** The suites of what acts on the ledger. */
const FEATURES = [
  'test/unit/executor',
  'test/unit/ledger',
  'test/unit/lanes',
  'test/unit/features.test.ts',
  'test/property/executor',
  'test/unit/iso20022',
  ...node(
    'explorer',
    'lists',
    'objects',
    'reads',
    'drafts',
    'lane-routes',
    'consensus-routes',
    'operator-routes',
    'membership',
    'upgrade',
  ),
]

/** What features do on the ledger. */
const LEDGERS = readdirSync(join(ROOT, 'src', 'features'))
  .map((name) => `src/features/${name}/ledger`)
  .filter((folder) => existsSync(join(ROOT, folder)))

/** Folders, and the suites that catch their mutants: those of one process that take seconds. */
const FOLDERS = {
  consensus: {
    sources: 'src/consensus',
    suites: [
      'test/unit/consensus',
      'test/byzantine/sizes.test.ts',
      'test/unit/storage/vote-log.test.ts',
      FORGED,
      ...LEDGER,
      ...simulation('uniform', 'hidden-commit', 'cuts', 'quiet'),
    ],
  },
  executor: {
    sources: 'src/executor',
    suites: [
      'test/unit/executor',
      'test/unit/lanes',
      'test/unit/queue',
      'test/unit/features.test.ts',
      'test/unit/genesis/manifest.test.ts',
      'test/property/executor',
      FORGED,
      ...LEDGER,
      'test/unit/node/admission.test.ts',
    ],
  },
  ledger: {
    sources: 'src/node/ledger',
    suites: [
      'test/unit/executor/late-views.test.ts',
      FORGED,
      ...LEDGER,
      ...node(
        'block-import',
        'commit-by-hash',
        'drafts',
        'lanes',
        'ledger-blocks',
        'lists',
        'objects',
        'reads',
        'snapshot',
        'upgrade',
      ),
    ],
  },
  kernel: { sources: 'src/ledger', suites: FEATURES },
  features: { sources: LEDGERS, suites: FEATURES },
  state: {
    sources: 'src/state',
    suites: [
      'test/unit/state',
      'test/unit/executor/core.test.ts',
      'test/unit/executor/metering.test.ts',
      'test/unit/executor/row-sizes.test.ts',
      'test/property/state',
      ...node('divergence', 'ledger', 'objects'),
    ],
  },
}

const flag = (name) => process.argv.includes(`--${name}`)
const option = (name, fallback) => (flag(name) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : fallback)
const say = (text) => console.error(text.replaceAll(`${ROOT}/`, ''))

async function run(name, seed, count) {
  const { sources: folder, suites } = FOLDERS[name]
  const path = join(ROOT, 'coverage', `mutation-${name}.json`)
  const earlier = flag('again') ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  const drawn = await (earlier ? findAgain(folder, earlier.survivors) : draw(folder, seed, count))
  const { mutants, sources, ...figures } = drawn
  const report = { folder, seed, drawn: mutants.length, ...figures, ...earlier }
  say(`${name}: ${mutants.length} mutants; seed ${report.seed} drew ${report.drawn} of ${report.all}`)
  const hunt = await Hunt.start(sources, { say, env: COUNTS })
  try {
    const ids = mutants.map(({ id }) => id)
    await hunt.run(ids, await hunt.filesOf(suites))
    report.survivors = mutants
      .filter(({ id }) => !hunt.caught.has(id))
      .map((one) => ({ ...one, files: hunt.filesReaching(one.id) }))
  } finally {
    await hunt.close()
  }
  mkdirSync(join(ROOT, 'coverage'), { recursive: true })
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
  for (const { file, line, column, before, after, files } of report.survivors) {
    console.log(`${file}:${line}:${column}, reached by ${files} test files\n- ${before}\n+ ${after}`)
  }
  const caught = report.drawn - report.survivors.length
  console.log(
    `${name}, seed ${report.seed}: ${caught} of ${report.drawn}, ${((100 * caught) / report.drawn).toFixed(1)} %`,
  )
}

if (flag('short')) {
  installHeavy()
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  await huntShort(Object.values(FOLDERS), option('seed', head.slice(0, 8)), Number(option('count', '100')), say)
} else if (!flag('named')) {
  installHeavy()
  const seed = option('seed', String(Math.floor(Math.random() * 1e9)))
  for (const name of flag('folder') ? [option('folder')] : Object.keys(FOLDERS)) {
    await run(name, seed, Number(option('count', '300')))
  }
}
if (flag('named') || !(flag('folder') || flag('short')))
  process.exitCode = (await runNamed(NAMED, console.log)).length > 0 ? 1 : 0
