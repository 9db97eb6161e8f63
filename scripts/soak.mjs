// The long counts: the suites of `npm test` with many more seeds and runs. `npm run soak -- --seeds 200000 --from 1`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const seeds = option('seeds', 200_000)
const first = option('from', 1)
// One process per slice, so that a failure names a small range and memory starts anew.
const SLICE = 10_000

for (let from = first; from < first + seeds; from += SLICE) {
  const count = Math.min(SLICE, first + seeds - from)
  const done = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'test/simulation', '--testTimeout=3600000'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, SIM_FIRST: String(from), SIM_SEEDS: String(count) } },
  )
  if (done.status !== 0) process.exit(done.status ?? 1)
  console.log(`soak: seeds ${from} to ${from + count - 1} without a fork or a stall`)
}
