// Runs CI on a clean clone of HEAD in a temporary folder, as it will run on what is pushed: `npm run preflight`. Appends
// `COMMIT passed|failed SECONDS` to the file `preflight` in the git directory.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

const commit = git('rev-parse', 'HEAD')
if (git('status', '--porcelain') !== '') console.error('preflight: changes that are not committed are not tested')
const folder = mkdtempSync(join(tmpdir(), 'causeway-preflight-'))
try {
  const clone = join(folder, 'clone')
  git('clone', '--quiet', '--no-hardlinks', root, clone)
  execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: clone })
  const startedMs = performance.now()
  const { status } = spawnSync(join(clone, '.ci', 'run'), { cwd: clone, stdio: 'inherit' })
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  const line = `${commit} ${status === 0 ? 'passed' : 'failed'} ${seconds}`
  appendFileSync(join(git('rev-parse', '--absolute-git-dir'), 'preflight'), `${line}\n`)
  console.log(`preflight: ${line}`)
  process.exitCode = status === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
