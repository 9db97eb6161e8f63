// Bundles the program: each command, thread and public module is an entry of dist/bundle/, what they share are chunks. A command
// loads a dozen files instead of some 450, which is most of what a short one costs.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { sourcesIn } from './built-from.mjs'

/** Beside the commands and the entries of threads, which are called worker.ts. */
const MODULES = [
  // What bin/run.js and oclif load.
  'src/cli/command/program-help.ts',
  'src/cli/command/standard-output.ts',
  'src/cli/command/uncaught.ts',
  'src/cli/hooks/command-not-found.ts',
  // A process of its own.
  'src/cli/localnet/links/main.ts',
  // The package as a library.
  'src/client/index.ts',
]
/** Two folders deep, as the modules are that look for entries from where they stand (src/crypto/compiled-url.ts). */
const CHUNKS = 'src/chunks'

/** Writes the bundle of the sources in a folder; old chunks go. */
export async function bundle(root) {
  const threads = sourcesIn('src').filter((name) => name.endsWith('/worker.ts'))
  const entries = [...sourcesIn('commands'), ...threads, ...MODULES]
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name.replace(/\.tsx?$/, ''), name])),
    platform: 'node',
    // Packages stay what they are: only our own modules are put together.
    external: (id) => !/^[./]/.test(id),
  })
  const dir = join(root, 'dist', 'bundle')
  const { output } = await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
  })
  await build.close()
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (entry.isFile() && !written.has(path.slice(dir.length + 1))) rmSync(path)
  }
}
