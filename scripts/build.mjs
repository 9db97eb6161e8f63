// Compiles the sources to dist/ and bundles the program and the pages of the explorer; run by `npm ci` through the script `dependencies`, which, unlike `prepare`, npm does not ask users of the package to allow. `npm run manifest` rewrites oclif.manifest.json.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuildFresh, noteBuilt, sourcesHash } from './built-from.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

if (!existsSync(compiler)) {
  // `npm ci --omit=dev` of a published package: dist/ came with it and there is nothing to compile.
  if (existsSync(join(root, 'dist', 'bundle'))) process.exit(0)
  console.error('build: TypeScript is not installed and dist/ is absent. Run `npm ci` without --omit=dev.')
  process.exit(1)
}

// `npm ci` has just built what `npm test` runs.
if (process.argv.includes('--if-stale') && isBuildFresh()) process.exit(0)
if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'), { recursive: true })
const hash = sourcesHash()

const compile = (settings) => {
  const done = spawnSync(process.execPath, [compiler, '-p', join(root, settings)], { cwd: root, stdio: 'inherit' })
  if (done.status !== 0) process.exit(done.status ?? 1)
}
compile(join('scripts', 'tsconfig.build.json'))
compile(join('src', 'web'))
// Loaded here: a published package has no bundler.
const { bundle } = await import('./bundle.mjs')
const { web } = await import('./web.mjs')
await bundle(root)
await web(root)
noteBuilt(hash)
