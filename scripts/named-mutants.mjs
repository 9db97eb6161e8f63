// Runs the named mutants (test/mutation/named.json): each must be caught by a test of the suite that it names.
//   node scripts/named-mutants.mjs                 all of them
//   node scripts/named-mutants.mjs --short         those of `npm test`
//   node scripts/named-mutants.mjs --shard 2/3     the second third
//   node scripts/named-mutants.mjs --report FILE   also writes what passed and failed to a file, as JSON
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { NAMED, runNamed } from '../test/mutation/named.mjs'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
    report: { type: 'string' },
  },
})
const [shard, shards] = values.shard.split('/').map(Number)
const chosen = NAMED.filter(({ short }) => !values.short || short === true).filter(
  (_mutant, at) => at % shards === shard - 1,
)
const survivors = await runNamed(chosen, console.log)
const report = { passed: chosen.length - survivors.length, failed: survivors, skipped: [] }
if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`)
process.exitCode = survivors.length > 0 ? 1 : 0
